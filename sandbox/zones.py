"""Writes `src/python/zones.bin`, the time zones of programs, from the IANA database.

    python3 sandbox/zones.py /usr/share/zoneinfo/tzdata.zi

The file is a line of text with its version, a line for each zone with its name, the place
and the length of its TZif data, an empty line, and the data. `zic` compiles it.
"""

import pathlib
import subprocess
import sys
import tempfile


def main(source):
    version = pathlib.Path(source).read_text().split("\n", 1)[0].removeprefix("# version ")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["zic", "-b", "slim", "-d", folder, source], check=True)
        top = pathlib.Path(folder)
        zones = {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}
    places, data, lines = {}, bytearray(), [version]
    for name, content in sorted(zones.items()):
        if content not in places:
            places[content] = len(data)
            data += content
        lines.append(f"{name} {places[content]} {len(content)}")
    packed = "\n".join([*lines, "", ""]).encode() + data
    (pathlib.Path(__file__).parent / "src/python/zones.bin").write_bytes(packed)


if __name__ == "__main__":
    main(sys.argv[1])
