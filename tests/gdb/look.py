"""Run by gdb on the program of lanes.cpp: stops in look() and prints its variables, an answer's line after "| "."""

import gdb

EXPRESSIONS = ("floats", "two", "wholes", "none", "all", "some", "negative", "wrong", "vectors", "up", "reference",
               "*pointer", "pair", "flat_vectors", "$lanes_of(0b101001)", "$lanes_of(0)", "$lanes_of(1ull << 63)")

for setting in ("confirm off", "width 0", "height 0", "print pretty off", "startup-with-shell off"):
    gdb.execute("set " + setting)
gdb.execute("break lanecull::(anonymous namespace)::stop", to_string=True)
gdb.execute("run", to_string=True)
gdb.execute("up", to_string=True)
for expression in EXPRESSIONS:
    answer = gdb.execute("output " + expression, to_string=True)
    print("\n".join("| " + line for line in f"{expression} = {answer}".splitlines()))
gdb.execute("kill", to_string=True)
