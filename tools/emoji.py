"""Make the emoji data again from their sources.

python -m tools.emoji

Which emoji: those that Unicode recommends for interchange (RGI, as the package unicode-emoji-json lists
them; letters, punctuation and arrows that are no emoji are not among them), that have keywords of their
own in CLDR's English annotations, and that the font draws as one picture. So skin tones, flags of
countries and most families are left out, whose keywords CLDR puts together from those of their parts.
Of emoji that look alike at 16 × 16 pixels, the first stays.

Which labels: every keyword that at least 12 of these emoji have. Keywords that the same emoji have are
one label, named by all of them ("fairy/tale"). No other is left out, however odd it seems: "143" is
counted letters of "I love you". The most frequent label is first; of equally frequent ones, the alphabet
decides.

npm fetches the two packages in the versions below. The font is that of Debian's
fonts-noto-color-emoji. The result, notebooks/mlm_course/records/emoji.npz, has the same bytes each time; beside
it, emoji.txt has sources, versions and licences.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, features

RECORDS = Path(__file__).parent.parent / "notebooks" / "mlm_course" / "records"
KEYWORDS, LIST = "cldr-annotations-full@48.2.0", "unicode-emoji-json@0.9.0"
FONT = Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")
FONT_VERSION = "fonts-noto-color-emoji 2.042-0+deb12u1 of Debian"
FONT_SHA256 = "e5899ed38b8ed83e08bd3ac5de09791e9d19d288333a796de1d35ad17396f1ec"
FONT_LICENCE = Path("/usr/share/doc/fonts-noto-color-emoji/copyright")
LEAST = 12  # emoji that have a keyword, or it is no label
DRAWN, SIDE, PIXELS = 109, 136, 16  # the font's one size, what holds its pictures, and what is kept
VARIATION = "\ufe0f"  # asks for the colourful form of a character; CLDR leaves it out


def labels_of(keywords: Sequence[Sequence[str]], least: int = LEAST) -> dict[str, list[int]]:
    """Find each label and the samples that have it, by the rule above."""
    count = Counter(word for words in keywords for word in set(words))
    alike: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for word in sorted(word for word, times in count.items() if times >= least):
        alike[tuple(i for i, words in enumerate(keywords) if word in words)].append(word)
    merged = {"/".join(words): list(samples) for samples, words in alike.items()}
    return dict(sorted(merged.items(), key=lambda item: (-len(item[1]), item[0])))


def fetched(package: str, folder: Path, names: Sequence[str]) -> list[str]:
    """Let npm download one package, and read some of its files."""
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder), package]
    archive = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]
    with tarfile.open(folder / archive) as files:
        members = [files.extractfile(f"package/{name}") for name in names]
        return [member.read().decode() for member in members if member is not None]


def annotated(listed: Mapping[str, Any], annotations: Mapping[str, Any]) -> dict[str, Any]:
    """Take the listed emoji that have annotations of their own, each with these."""
    plain = {emoji: emoji.replace(VARIATION, "") for emoji in listed}
    return {emoji: annotations[key] for emoji, key in plain.items() if key in annotations}


def picture(emoji: str, font: ImageFont.FreeTypeFont) -> NDArray[np.uint8] | None:
    """Draw one emoji on white, and shrink it; None where the font has no single picture of it."""
    large = Image.new("RGBA", (SIDE, SIDE), "white")
    middle = (SIDE // 2, SIDE // 2)
    ImageDraw.Draw(large).text(middle, emoji, font=font, embedded_color=True, anchor="mm")
    drawn = np.asarray(large)
    if font.getlength(emoji) > SIDE or drawn.min() == 255:  # parts side by side, or nothing
        return None
    small = large.convert("RGB").resize((PIXELS, PIXELS), Image.Resampling.BOX)
    return np.asarray(small)


def pictures_of(emoji: Sequence[str]) -> dict[str, NDArray[np.uint8]]:
    """Draw those emoji that the font has, each picture once."""
    if not features.check("raqm"):
        raise SystemExit("Pillow lacks Raqm, without which emoji of several parts are not joined")
    if hashlib.sha256(FONT.read_bytes()).hexdigest() != FONT_SHA256:
        raise SystemExit(f"{FONT} is not the font of {FONT_VERSION}, so its pictures may differ")
    font = ImageFont.truetype(FONT, DRAWN)
    first: dict[bytes, str] = {}
    drawn = {}
    for one in emoji:
        small = picture(one, font)
        if small is not None and first.setdefault(small.tobytes(), one) == one:
            drawn[one] = small
    return drawn


def notice(licences: Mapping[str, str], n_samples: int, n_labels: int) -> str:
    """Write the sources, their versions and their licences."""
    head = (
        f"emoji.npz: {n_samples:,} emoji as pictures of 16 x 16 pixels, and {n_labels} labels.\n"
        "emoji_scores.npz: what models that learned them predict.\n"
        "python -m tools.emoji made the first of these sources; its docstring says how.\n\n"
        f"Keywords and names: {KEYWORDS} (npm), licence Unicode-3.0.\n"
        f"Which characters are emoji: {LIST} (npm), licence MIT, made of data of Unicode.\n"
        f"Pictures: Noto Color Emoji, {FONT_VERSION}, licence OFL-1.1; the font itself is not here.\n"
    )
    parts = [f"{'-' * 80}\n{title}\n\n{text.strip()}\n" for title, text in licences.items()]
    return "\n".join([head, *parts])


def font_licence(copyright_file: str) -> str:
    """Take the font's copyright and licence from Debian's file, without its indentation."""
    holder = re.search(
        r"^Files: +fonts/\*\n(.*?)^License: +SIL-1.1\n\n", copyright_file, re.M | re.S
    )
    text = re.search(r"^License: +SIL-1.1\n( .*?)(?=^\S|\Z)", copyright_file, re.M | re.S)
    assert holder and text
    lines = [*holder[1].splitlines(), "", *text[1].splitlines()]
    return "\n".join("" if line == " ." else line.strip() for line in lines)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        wanted = ["annotations/en/annotations.json", "LICENSE"]
        raw, unicode_licence = fetched(KEYWORDS, Path(folder), wanted)
        listed, mit = fetched(LIST, Path(folder), ["data-by-emoji.json", "LICENSE"])
    known = annotated(json.loads(listed), json.loads(raw)["annotations"]["annotations"])
    drawn = pictures_of(list(known))
    labels = labels_of([known[emoji]["default"] for emoji in drawn])
    y = np.zeros((len(drawn), len(labels)), dtype=np.uint8)
    for column, samples in enumerate(labels.values()):
        y[samples, column] = 1
    np.savez_compressed(
        RECORDS / "emoji.npz",
        pictures=np.stack(list(drawn.values())),
        y=np.packbits(y, axis=1),
        labels=np.array(list(labels)),
        characters=np.array(list(drawn)),
        names=np.array([known[emoji]["tts"][0] for emoji in drawn]),
    )
    licences = {
        "Keywords and names": unicode_licence,
        "The list of emoji": mit,
        "The font of the pictures": font_licence(FONT_LICENCE.read_text(encoding="utf-8")),
    }
    text = notice(licences, *y.shape)
    (RECORDS / "emoji.txt").write_text(text, encoding="utf-8", newline="\n")
    print(f"{y.shape[0]:,} emoji, {y.shape[1]} labels: {RECORDS / 'emoji.npz'}", file=sys.stderr)


if __name__ == "__main__":
    main()
