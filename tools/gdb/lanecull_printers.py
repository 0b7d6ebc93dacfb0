"""Prints lanes, masks and vectors of lanes as numbers, and the structs of include/lanecull, in gdb (Python 3).

    (gdb) source tools/gdb/lanecull_printers.py          or the same line in ~/.gdbinit

    FloatW, IndexW   {1, -2.5, 0.1, 8}, lane 0 first; `2 in all 4 lanes` where all are alike; 0.1 in plain C++
    MaskW            0b0101: lanes 0, 2                  bit i is lane i, whether the mask is a vector or a k register
    Vec3W, Vec2W     a table, one lane a row; `(0, 0, 1) in all 4 lanes` where all are alike
    $lanes_of(BITS)  `lanes 0, 2` of a number: what bits() returns, a word of 64 objects, or $k1

    Span             `2 items` and the items
    Status           `ok`, or the code and the sentence that lanecull_explain() makes
    Batch            `3 spheres` and the shapes of its kind, in place of all members of the union
    View, Viewpoint, Occluder   `prepared` and the contents, where the library has debug information; or `not prepared`

A vector mask's lane holds all ones or all zeros. Where one holds anything else the printer says so, for then it is no
mask; the sign bit is what movmskps and the blends go by, so that is the bit shown.

Variables in memory, as in a build with -O0, always come out right. In registers, gdb 13 shows AMD processors' k
registers and lanes 8 to 15 of zmm registers as zeros or leftovers (seen on an EPYC of family 26).

The names of lanes are those of kernels: FloatW, MaskW and IndexW are xsimd::batch<float>, xsimd::batch_bool<float> and
xsimd::batch<int> in the vector sets, structs of one value in plain C++.
"""

import math
import os
import re
import struct

import gdb
import gdb.printing


class OptimizedOut(Exception):
    def __str__(self):
        return "<optimized out>"


def raw_bytes(value):
    """What a number or a vector of numbers consists of, whatever numbers gdb takes it for."""
    if value.is_optimized_out:
        raise OptimizedOut
    size = value.type.sizeof
    byte = gdb.lookup_type("unsigned char")
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
        lanes = value.cast(byte.vector(size - 1))
        return bytes(int(lanes[i]) for i in range(size))
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_FLT:
        return struct.pack("<f", float(value))
    return (int(value) & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def words(value):
    """The same as numbers of 32 bits."""
    raw = raw_bytes(value)
    return struct.unpack(f"<{len(raw) // 4}I", raw)


def register(value):
    """The one member that holds the lanes: `value` in plain C++, else `data`, which xsimd's classes inherit."""
    own = [field.name for field in value.type.strip_typedefs().fields()]
    return value["value"] if "value" in own else value["data"]


def float_text(word):
    """The shortest decimal that gives the same float back."""
    bits = struct.pack("<I", word)
    number = struct.unpack("<f", bits)[0]
    if not math.isfinite(number):
        return f"{number:g}" if not math.isnan(number) or word >> 31 == 0 else "-nan"
    for digits in range(1, 9):
        shorter = float(f"{number:.{digits}g}")
        try:
            if struct.pack("<f", shorter) == bits:
                return f"{shorter:.9g}"
        except OverflowError:  # rounded up to more than the largest float
            continue
    return f"{number:.9g}"


def index_text(word):
    return str(word - (1 << 32) if word >> 31 else word)


def lanes_text(value, text):
    """The lanes of a FloatW or an IndexW, each as `text` writes it."""
    return [text(word) for word in words(register(value))]


def lane_list(bits):
    """Which bits are set, in words."""
    chosen = [str(i) for i in range(bits.bit_length()) if bits >> i & 1]
    if not chosen:
        return "no lane"
    return ("lane " if len(chosen) == 1 else "lanes ") + ", ".join(chosen)


def mask_text(bits, count):
    """A mask of `count` lanes."""
    return f"0b{bits:0{count}b}: " + ("all lanes" if bits == (1 << count) - 1 else lane_list(bits))


class LanesPrinter:
    """FloatW and IndexW."""

    def __init__(self, value, text):
        self.value, self.text = value, text

    def to_string(self):
        try:
            lanes = lanes_text(self.value, self.text)
        except OptimizedOut as shown:
            return str(shown)
        if len(lanes) == 1:
            return lanes[0]
        if len(set(lanes)) == 1:
            return f"{lanes[0]} in all {len(lanes)} lanes"
        return "{" + ", ".join(lanes) + "}"


class MaskPrinter:
    """MaskW, and masks of whole numbers."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        held = register(self.value)
        try:
            if held.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
                return self.of_vector(words(held))
            # A k register's number, 16 lanes; or one bool.
            number = int.from_bytes(raw_bytes(held), "little")
            count = 1 if held.type.strip_typedefs().code == gdb.TYPE_CODE_BOOL else 8 * held.type.sizeof
        except OptimizedOut as shown:
            return str(shown)
        return mask_text(number, count)

    @staticmethod
    def of_vector(lanes):
        bits = sum((word >> 31) << i for i, word in enumerate(lanes))
        text = mask_text(bits, len(lanes))
        for i, word in enumerate(lanes):
            if word not in (0, 0xffffffff):
                text += f"; NO MASK: lane {i} is 0x{word:08x}"
        return text


class VectorPrinter:
    """Vec3W and Vec2W: a lane a row."""

    def __init__(self, value, names):
        self.value, self.names = value, names

    def column(self, name):
        try:
            return lanes_text(self.value[name], float_text)
        except OptimizedOut as shown:
            return [str(shown)]

    def to_string(self):
        columns = [self.column(name) for name in self.names]
        count = max(len(column) for column in columns)
        columns = [column * count if len(column) == 1 else column for column in columns]  # of what is optimised out
        rows = list(zip(*columns))
        if len(set(rows)) == 1:
            where = f" in all {count} lanes" if count > 1 else ""
            return f"({', '.join(rows[0])}){where}"
        table = [("lane", *self.names)] + [(str(i), *row) for i, row in enumerate(rows)]
        widths = [max(len(row[c]) for row in table) for c in range(len(table[0]))]
        lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths)) for row in table]
        return f"{count} lanes\n" + "\n".join("    " + line for line in lines)


class SpanPrinter:
    """Spans in C++; in C they are structs as any other."""

    def __init__(self, value):
        self.items, self.count = value["items"], int(value["count"])

    def to_string(self):
        return "1 item" if self.count == 1 else f"{self.count} items"

    def children(self):
        if int(self.items) == 0:
            return
        for i in range(self.count):
            yield str(i), (self.items + i).dereference()

    @staticmethod
    def display_hint():
        return "array"


class StatusPrinter:
    """lanecull_status, and Status, which is one."""

    CODES = ("ok", "invalid_argument", "not_ready", "out_of_memory", "unsupported", "system_error", "bad_file")
    WHOLE, REAL, TEXT, SYSTEM_ERROR = 1, 2, 3, 4  # NumberForm of kernels/base/failure.hpp

    def __init__(self, value):
        self.value = value

    def to_string(self):
        code = int(self.value["code"])
        name = self.CODES[code] if code < len(self.CODES) else f"code {code}"
        sentence = self.sentence()
        return f"{name}: {sentence}" if sentence else name

    def sentence(self):
        """As lanecull_explain() writes it."""
        text = "".join(self.value[name].string() for name in ("where", "rule") if int(self.value[name]) != 0)
        used = 0

        def written(match):
            nonlocal used
            digits, letter = match.groups()
            if letter == "%":
                return "%"
            used += 1
            return self.number(used - 1, digits, letter)

        return re.sub(r"%([0-9.]*)[zl]*([a-z%])", written, text)

    def number(self, k, digits, letter):
        bits = int(self.value["numbers"][k])
        form = int(self.value["forms"]) >> 4 * k & 15
        if form == self.WHOLE:
            if letter == "d" and bits >> 63:
                bits -= 1 << 64
            return f"%{digits}{letter}" % bits
        if form == self.REAL:
            return f"%{digits}{letter}" % struct.unpack("<d", struct.pack("<Q", bits))
        if form == self.TEXT:
            return gdb.Value(bits).cast(gdb.lookup_type("char").pointer()).string()
        return os.strerror(bits) if form == self.SYSTEM_ERROR else ""


class BatchPrinter:
    """Batches: the one member of the union that Batch::kind names."""

    def __init__(self, value):
        self.value = value
        # Kinds are numbered in the order of the union's members, of which `reserved` is the first.
        kinds = [field.name for field in value["shapes"].type.strip_typedefs().fields()]
        number = int(value["kind"])
        self.kind = kinds[number] if 0 < number < len(kinds) else None

    def to_string(self):
        if self.kind is None:
            return f"no kind ({int(self.value['kind'])})"
        return f"{int(self.value['shapes'][self.kind]['count'])} {self.kind}"

    def children(self):
        if self.kind is None:
            return
        yield self.kind, self.value["shapes"][self.kind]
        for field in self.value.type.strip_typedefs().fields():
            if field.name not in ("kind", "shapes", "reserved"):
                yield field.name, self.value[field.name]


class OpaquePrinter:
    """What is prepared: `contents` is a struct of the library, `kind`, which `state` has the size of."""

    def __init__(self, value, kind):
        self.value = value
        self.state = int(value["state"])
        try:
            self.kind = gdb.lookup_type(kind)
        except gdb.error:
            self.kind = None  # the library has no debug information

    def is_known(self):
        return self.kind is not None and self.state & 0xffffffff == self.kind.sizeof

    def to_string(self):
        if self.state == 0:
            return "not prepared"
        return "prepared" if self.is_known() or self.kind is None else "prepared by another version"

    def children(self):
        if self.state == 0:
            return
        for field in self.value.type.strip_typedefs().fields():
            if field.name not in ("state", "contents"):
                yield field.name, self.value[field.name]
        address = self.value["contents"].address
        if self.is_known() and address is not None:
            yield "contents", address.cast(self.kind.pointer()).dereference()


class LanesOf(gdb.Function):
    """$lanes_of(BITS): which bits of a number are set, in words: "lanes 0, 2"."""

    def __init__(self):
        super().__init__("lanes_of")

    def invoke(self, bits):
        return lane_list(int(bits) & 0xffffffffffffffff)


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("lanecull")
    ours = r"^lanecull::(flat::)?(\(anonymous namespace\)::|\(anonymous\)::)?"
    for kinds, make in (
        ((r"^xsimd::batch<float, .*>$", ours + "FloatW$"), lambda value: LanesPrinter(value, float_text)),
        ((r"^xsimd::batch<int, .*>$", ours + "IndexW$"), lambda value: LanesPrinter(value, index_text)),
        ((r"^xsimd::batch_bool<(float|int), .*>$", ours + "MaskW$"), MaskPrinter),
        ((ours + "Vec3W$",), lambda value: VectorPrinter(value, ("x", "y", "z"))),
        ((ours + "Vec2W$",), lambda value: VectorPrinter(value, ("x", "y"))),
        ((r"^lanecull::Span<.*>$",), SpanPrinter),
        ((r"^(lanecull::Status|lanecull_status)$",), StatusPrinter),
        ((r"^(lanecull::(flat::)?Batch|lanecull_(flat_)?batch)$",), BatchPrinter),
        ((r"^(lanecull::View|lanecull_view)$",), lambda value: OpaquePrinter(value, "lanecull::PreparedView")),
        ((r"^(lanecull::flat::View|lanecull_flat_view)$",),
         lambda value: OpaquePrinter(value, "lanecull::flat::PreparedView")),
        ((r"^(lanecull::Viewpoint|lanecull_viewpoint)$",),
         lambda value: OpaquePrinter(value, "lanecull::PreparedViewpoint")),
        ((r"^(lanecull::Occluder|lanecull_occluder)$",),
         lambda value: OpaquePrinter(value, "lanecull::PreparedOccluder")),
    ):
        for kind in kinds:
            collection.add_printer(kind, kind, make)
    return collection


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
LanesOf()
