"""Create the emoji data from their sources.

python -m tools.emoji

The samples are the emoji that Unicode recommends for interchange (RGI, as listed by the package
unicode-emoji-json; letters, punctuation and arrows are not in the list), that have an entry of
their own in CLDR's English annotations, and that the font draws as one picture. So skin tones,
flags of countries and most families are left out: CLDR composes their keywords from those of their
parts. Of emoji with the same 16 × 16 pixels, only the first is a sample.

The labels are the keywords that at least 12 of these emoji have. Keywords of exactly the same emoji
are one label, named by all of them ("fairy/tale"). No other keyword is left out, however odd it
seems: "143" stands for the numbers of letters in "I love you". Labels are sorted by frequency, then
by name.

npm downloads the two packages in the versions below. The font is that of Debian's
fonts-noto-color-emoji. The result, notebooks/mlm_course/records/emoji.npz, has the same bytes each
time. For another source, change emoji.txt in that folder, which has sources, versions and licences.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, features

from tools import RECORDS

KEYWORDS, LIST = "cldr-annotations-full@48.2.0", "unicode-emoji-json@0.9.0"
FONT = Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")
FONT_VERSION = "fonts-noto-color-emoji 2.042-0+deb12u1 of Debian"
FONT_SHA256 = "e5899ed38b8ed83e08bd3ac5de09791e9d19d288333a796de1d35ad17396f1ec"
MIN_SAMPLES = 12  # emoji that have a keyword, for it to be a label
FONT_SIZE, SIDE, PIXELS = 109, 136, 16  # the only size of the font; pixels drawn; pixels stored
VARIATION = "\ufe0f"  # selects the coloured form of a character; CLDR's keys do not have it


def samples_by_label(keywords: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """The samples that have each label, from the keywords of each sample, by the rule above."""
    counts = Counter(word for words in keywords for word in set(words))
    synonyms: dict[tuple[int, ...], list[str]] = defaultdict(list)  # keywords by their samples
    for word in sorted(word for word, count in counts.items() if count >= MIN_SAMPLES):
        synonyms[tuple(i for i, words in enumerate(keywords) if word in words)].append(word)
    labels = {"/".join(words): list(samples) for samples, words in synonyms.items()}
    return dict(sorted(labels.items(), key=lambda item: (-len(item[1]), item[0])))


def read_package(package: str, name: str, folder: Path) -> Any:
    """Data of a JSON file in a package, which npm downloads into the folder."""
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder), package]
    archive = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]
    with tarfile.open(folder / archive) as files:
        return json.load(files.extractfile(f"package/{name}"))  # type: ignore[arg-type]


def own_annotations(emoji: Iterable[str], annotations: Mapping[str, Any]) -> dict[str, Any]:
    """Annotations by emoji, of those with an entry; keys of entries lack the variation selector."""
    keys = {character: character.replace(VARIATION, "") for character in emoji}
    return {character: annotations[key] for character, key in keys.items() if key in annotations}


def picture(emoji: str, font: ImageFont.FreeTypeFont) -> NDArray[np.uint8] | None:
    """Pixels of an emoji on white, or None if the font does not have it as one picture."""
    large = Image.new("RGBA", (SIDE, SIDE), "white")
    middle = (SIDE // 2, SIDE // 2)
    ImageDraw.Draw(large).text(middle, emoji, font=font, embedded_color=True, anchor="mm")
    if font.getlength(emoji) > SIDE or np.asarray(large).min() == 255:  # several parts, or nothing
        return None
    small = large.convert("RGB").resize((PIXELS, PIXELS), Image.Resampling.BOX)
    return np.asarray(small)


def pictures_of(emoji: Sequence[str]) -> dict[str, NDArray[np.uint8]]:
    """Pixels of the emoji that the font has as one picture, without repetitions."""
    if not features.check("raqm"):
        raise SystemExit("Pillow lacks Raqm, without which emoji of several parts are not joined")
    if hashlib.sha256(FONT.read_bytes()).hexdigest() != FONT_SHA256:
        raise SystemExit(f"{FONT} is not the font of {FONT_VERSION}, so its pictures may differ")
    font = ImageFont.truetype(FONT, FONT_SIZE)
    pictures: dict[bytes, tuple[str, NDArray[np.uint8]]] = {}
    for character in emoji:
        pixels = picture(character, font)
        if pixels is not None:
            pictures.setdefault(pixels.tobytes(), (character, pixels))
    return dict(pictures.values())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        raw = read_package(KEYWORDS, "annotations/en/annotations.json", Path(folder))
        emoji_list = read_package(LIST, "data-by-emoji.json", Path(folder))
    annotations = own_annotations(emoji_list, raw["annotations"]["annotations"])
    pictures = pictures_of(list(annotations))
    labels = samples_by_label([annotations[emoji]["default"] for emoji in pictures])
    y = np.zeros((len(pictures), len(labels)), dtype=np.uint8)
    for column, samples in enumerate(labels.values()):
        y[samples, column] = 1
    np.savez_compressed(
        RECORDS / "emoji.npz",
        pictures=np.stack(list(pictures.values())),
        y=np.packbits(y, axis=1),
        labels=np.array(list(labels)),
        characters=np.array(list(pictures)),
        names=np.array([annotations[emoji]["tts"][0] for emoji in pictures]),
    )
    print(f"{y.shape[0]:,} emoji, {y.shape[1]} labels: {RECORDS / 'emoji.npz'}", file=sys.stderr)


if __name__ == "__main__":
    main()
