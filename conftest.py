"""What holds for every test: nobody watches, so notebooks show no progress."""

import os

os.environ["MLM_QUIET"] = "1"
