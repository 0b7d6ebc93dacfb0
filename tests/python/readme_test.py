"""The blocks of Python in tools/python/README.md run, one after the other, in one program."""

import contextlib
import io
import pathlib
import re
import unittest

README = pathlib.Path(__file__).resolve().parents[2] / "tools" / "python" / "README.md"


class Readme(unittest.TestCase):
    def test_every_block(self):
        text = README.read_text()
        blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, flags=re.S | re.M))
        self.assertGreater(len(blocks), 8)
        namespace = {"__name__": "readme"}
        for block in blocks:
            line = text[:block.start(1)].count("\n")
            code = compile("\n" * line + block[1], str(README), "exec")
            with self.subTest(f"line {line + 1}"), contextlib.redirect_stdout(io.StringIO()):
                exec(code, namespace)

    def test_links(self):
        """Each link within the page has its heading."""
        text = README.read_text()
        headings = {re.sub(r"[^a-z -]", "", one.lower()).replace(" ", "-")
                    for one in re.findall(r"^#+ (.*)$", text, flags=re.M)}
        for anchor in re.findall(r"\]\(#([^)]*)\)", text):
            self.assertIn(anchor, headings)


if __name__ == "__main__":
    unittest.main()
