"""Holds a conversation at a terminal of its own and records it (asciicast v2):

    python3 record.py session.cast -- dialog2api chat --yes

What is said is in session.txt, a line each; what stands there after `!` answers a question
(`Do it? [y/N]`), if there is one. Everything else on the terminal is the program's and the
model's. To see it: `asciinema play session.cast`. The picture was made from it with
`termtosvg render session.cast session.svg` (PyPI, termtosvg 1.1.0).
"""

import codecs
import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from pathlib import Path

COLUMNS, ROWS = 100, 30
#: Between two letters, as someone types who knows the way.
LETTER = 0.03
#: Before the next line, so that whoever looks at the picture can read the reply, too.
READING = 1.5
#: What turns while something is under way; that is recorded once.
SPINNER = re.compile("[\u2800-\u28ff]")
#: Longer than any turn.
PATIENCE = 1800


class Terminal:
    def __init__(self, cast, command):
        self.cast = cast
        self.text = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm-256color", COLUMNS=str(COLUMNS), LINES=str(ROWS))
            os.execvp(command[0], command)
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, size)
        self.begun = time.monotonic()
        self.under_way = None
        header = {"version": 2, "width": COLUMNS, "height": ROWS, "idle_time_limit": 2.0}
        self.cast.write(json.dumps(header) + "\n")

    def read(self, seconds):
        """What appears within so many seconds; nothing when the program has ended."""
        ready, _, _ = select.select([self.end], [], [], seconds)
        if not ready:
            return True
        try:
            piece = os.read(self.end, 65536)
        except OSError:
            return False
        if not piece:
            return False
        text = self.decoder.decode(piece)
        at = round(time.monotonic() - self.begun, 3)
        self.text += text
        turns = SPINNER.search(text) and "\n" not in text
        # Ten a second, which differ in their dots and seconds.
        under_way = re.findall("[a-z]{2,}", text) if turns else None
        if turns and under_way == self.under_way:
            return True
        self.under_way = under_way
        self.cast.write(json.dumps([at, "o", text], ensure_ascii=False) + "\n")
        return True

    def wait(self, *words):
        """Waits for one of these words since the last time, and gives it."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = [word for word in words if word in self.text]
            if found:
                first = min(found, key=self.text.index)
                self.text = self.text.split(first, 1)[1]
                return first
            if not self.read(0.5):
                return None
        sys.exit(f"none of {words} appeared")

    def type(self, line):
        until = time.monotonic() + READING
        while time.monotonic() < until:
            self.read(READING)
        for letter in line:
            os.write(self.end, letter.encode())
            self.read(LETTER)
        self.read(0.4)
        # What was typed and is echoed asks nothing.
        self.text = ""
        os.write(self.end, b"\r")


def main():
    output, separator, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    assert separator == "--", __doc__
    lines = Path(__file__).with_name("session.txt").read_text().splitlines()
    with open(output, "w", encoding="utf-8") as cast:
        terminal = Terminal(cast, command)
        prompt, reply, question = "You:", "Agent:", "Do it? [y/N]"
        terminal.wait(prompt)
        for line in lines:
            said, _, answer = line.partition("!")
            terminal.type(said.strip())
            while terminal.wait(reply, question) == question:
                terminal.type(answer.strip() or "no")
            if terminal.wait(prompt) is None:
                break
        else:
            os.write(terminal.end, b"\x04")
        while terminal.read(PATIENCE):
            pass
    os.waitpid(terminal.child, 0)


main()
