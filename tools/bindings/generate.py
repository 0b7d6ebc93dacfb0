#!/usr/bin/env python3
"""Writes the C interface for other languages, from the headers themselves: generate.py KIND TO HEADER...

KIND says what the file TO becomes:
  python      structs, enumerators and functions for ctypes, as the package of tools/python takes them
  javascript  how WebAssembly lays out the structs, and the enumerators' numbers; `typescript`: its declarations
  csharp      structs, enumerators and functions for P/Invoke
  rust        structs, enumerators and functions
  abi         the recorded form (tests/c/abi.txt): what programs that were compiled with the headers rely on
  layouts     a file of C, or of C++, that a compiler refuses where sizes and offsets are not those of the other files
HEADER is one of include/lanecull, such as lanecull.h; what it includes comes with it.

The headers' macros (types.h) mark structs, enumerators and functions, so that few patterns find them all. What is laid
out follows the rules of 64-bit systems and of WebAssembly: numbers are aligned to their size.
"""

import functools
import pathlib
import re
import sys
from dataclasses import dataclass, field

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include" / "lanecull"


@dataclass(frozen=True)
class Named:
    """A number, or a type of the interface by its name without lanecull_; "void"."""

    name: str


@dataclass(frozen=True)
class Pointer:
    to: "Type"
    is_const: bool  # of what it points to


@dataclass(frozen=True)
class Callback:
    """A pointer to a function."""

    result: "Type"
    parameters: tuple["Member", ...]


Type = Named | Pointer | Callback


@dataclass(frozen=True)
class Member:
    """A field or a parameter."""

    name: str
    type: Type
    lengths: tuple[int, ...]  # of an array, outermost first
    declaration: str

    @property
    def count(self):
        return functools.reduce(lambda a, b: a * b, self.lengths, 1)


@dataclass(frozen=True)
class Struct:
    members: tuple[Member, ...]
    is_union: bool = False


@dataclass(frozen=True)
class Enum:
    number: str  # uint32_t or uint8_t
    values: tuple[tuple[str, str, int], ...]  # name in C without LANECULL_, in C++, number


@dataclass(frozen=True)
class Function:
    result: Type
    parameters: tuple[Member, ...]
    declaration: str


@dataclass
class Interface:
    """What headers declare, in their order; names without lanecull_."""

    headers: list[str]
    numbers: dict[str, int] = field(default_factory=dict)  # #define LANECULL_...
    aliases: dict[str, str] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    opaque: list[str] = field(default_factory=list)  # that only pointers are had of
    functions: dict[str, Function] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)  # what LANECULL_LAYOUT says

    def real(self, name):
        """The type that a name stands for."""
        return self.aliases.get(name, name)


# Reading headers


def included(names):
    """The text of these headers and of those that they include, each once, after what it includes."""
    texts = {}

    def add(name):
        if name not in texts:
            text = (INCLUDE / name).read_text()
            texts[name] = ""
            for other in re.findall(r"^#include <lanecull/(.+?)>$", text, re.M):
                add(other)
            del texts[name]  # and so it is the last
            texts[name] = text

    for name in names:
        add(name)
    return "\n".join(texts.values())


def as_c_reads(text, interface):
    """The text without comments, without what C++ alone has, and without the preprocessor's lines. The interface gets
    the numbers that they define."""
    text = re.sub(r"\\\n|//.*", "", text)
    lines, taken, macros = [], [], {}
    for line in text.splitlines():
        match line.split(maxsplit=2):
            case ["#ifdef", "__cplusplus"]:
                taken.append(False)
            case [("#if" | "#ifdef" | "#ifndef"), *_]:
                taken.append(None)  # a guard, or it chooses between attributes
            case ["#else"] if taken[-1] is not None:
                taken[-1] = not taken[-1]
            case ["#endif"]:
                taken.pop()
            case ["#define", name, value] if False not in taken:
                if number := re.fullmatch(r"(\d+)u?", value):
                    interface.numbers[name.removeprefix("LANECULL_")] = int(number[1])
                elif value.startswith("struct "):
                    macros[name] = value
            case [word, *_] if not word.startswith("#") and False not in taken:
                lines.append(line)
    text = "\n".join(lines)
    for name, value in macros.items():
        text = re.sub(rf"\b{name}\b", value, text)
    return re.sub(r" *\bLANECULL_(0|DEFAULT\(.*?\)(?=;)|NOEXCEPT|C_BEGIN|C_END)(?!\w)", "", text)


ITEM = re.compile(
    r"LANECULL_SPAN\((?P<item>[^,]+), (?P<span>\w+)\)"
    r"|LANECULL_(?P<flat>FLAT_)?(?P<what>STRUCT|UNION|ENUM|SMALL_ENUM)\(\w+, (?P<name>\w+)\)\s*\{(?P<body>.*?)\};"
    r"|typedef struct lanecull_(?P<bare>\w+) \{(?P<fields>.*?)\} lanecull_\w+;"
    r"|typedef uint32_t lanecull_(?P<flags>\w+);\s*enum \{(?P<bits>.*?)\};"
    r"|typedef struct lanecull_(?P<opaque>\w+) lanecull_\w+;"
    r"|typedef (?P<stands_for>\w+) lanecull_(?P<alias>\w+);"
    r"|LANECULL_LAYOUT\((?P<laid_out>\w+), (?P<bytes>\d+)\)"
    r"|LANECULL_API(?:_PLAIN)? (?P<result>[^;]*?)\blanecull_(?P<function>\w+)\((?P<parameters>[^;]*)\);", re.S)


def read(names):
    """The interface that these headers declare."""
    interface = Interface(names)
    text = as_c_reads(included(names), interface)
    rest = ITEM.sub("", text)
    if rest.strip():
        sys.exit("generate.py: does not understand\n" + re.sub(r"\s*\n", "\n", rest.strip()))
    for item in ITEM.finditer(text):
        name = "flat_" * bool(item["flat"]) + (item["name"] or "")
        if item["span"]:
            members = (member(f"{item['item']}* items", interface), member("size_t count", interface))
            interface.structs[item["span"]] = Struct(members)
        elif item["what"] in ("STRUCT", "UNION"):
            interface.structs[name] = Struct(members_of(item["body"], ";", interface), item["what"] == "UNION")
        elif item["what"]:
            interface.enums[name] = Enum("uint32_t" if item["what"] == "ENUM" else "uint8_t", values_of(item["body"]))
        elif item["bare"]:
            interface.structs[item["bare"]] = Struct(members_of(item["fields"], ";", interface))
        elif item["flags"]:
            interface.enums[item["flags"]] = Enum("uint32_t", values_of(item["bits"]))
        elif item["opaque"]:
            interface.opaque.append(item["opaque"])
        elif item["alias"]:
            interface.aliases[item["alias"]] = item["stands_for"].removeprefix("lanecull_")
        elif item["laid_out"]:
            interface.sizes[item["laid_out"]] = int(item["bytes"])
        elif item["function"]:
            given = re.sub(r"\s+", " ", item["parameters"])
            result = item["result"].strip()
            interface.functions[item["function"]] = Function(
                type_of(result), members_of("" if given == "void" else given, ",", interface),
                f"{result} lanecull_{item['function']}({given})")
    for name, size in interface.sizes.items():
        if layout(interface, name, 8)[0] != size:
            sys.exit(f"generate.py: lanecull_{name} has {layout(interface, name, 8)[0]} bytes, LANECULL_LAYOUT: {size}")
    return interface


def values_of(body):
    return tuple((c, cpp, int(number))
                 for c, cpp, number in re.findall(r"LANECULL_VALUE\((\w+), (\w+)\) = (\d+)", body))


def members_of(body, separator, interface):
    """Fields or parameters; those of a callback are no members."""
    outside = re.split(separator + r"(?![^()]*\))", re.sub(r"\s+", " ", body))
    return tuple(member(one.strip(), interface) for one in outside if one.strip())


def member(declaration, interface):
    if called := re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", declaration):
        return Member(called[2], Callback(type_of(called[1]), members_of(called[3], ",", interface)), (), declaration)
    kind, name, lengths = re.fullmatch(r"(.*?)\s*(\w+)((?:\[\w+\])*)", declaration).groups()
    numbers = (one.removeprefix("LANECULL_") for one in re.findall(r"\w+", lengths))
    return Member(name, type_of(kind), tuple(interface.numbers.get(one) or int(one) for one in numbers), declaration)


def type_of(text):
    """`const float*`, `float* const*`, `struct lanecull_scene_output*`, `double`, ..."""
    text = text.strip()
    if not text.endswith("*"):
        return Named(text.removeprefix("struct ").removeprefix("lanecull_"))
    to = text[:-1].strip()
    if to.endswith(" const"):
        return Pointer(type_of(to.removesuffix(" const")), True)
    if to.startswith("const ") and "*" not in to:
        return Pointer(type_of(to.removeprefix("const ")), True)
    return Pointer(type_of(to), False)


# Layouts


@dataclass(frozen=True)
class Number:
    """What languages call a number of C, and its bytes; 0: those of a pointer."""

    bytes: int
    python: str
    javascript: str
    csharp: str
    rust: str


NUMBERS = {
    "char": Number(1, "c_char", "u8", "byte", "u8"),
    "unsigned char": Number(1, "c_uint8", "u8", "byte", "u8"),
    "uint8_t": Number(1, "c_uint8", "u8", "byte", "u8"),
    "uint16_t": Number(2, "c_uint16", "u16", "ushort", "u16"),
    "uint32_t": Number(4, "c_uint32", "u32", "uint", "u32"),
    "int32_t": Number(4, "c_int32", "i32", "int", "i32"),
    "uint64_t": Number(8, "c_uint64", "u64", "ulong", "u64"),
    "size_t": Number(0, "c_size_t", "u32", "UIntPtr", "usize"),
    "float": Number(4, "c_float", "f32", "float", "f32"),
    "double": Number(8, "c_double", "f64", "double", "f64"),
}


def layout(interface, name, pointer):
    """Bytes and alignment of a struct, and each field's offset and bytes. pointer: the bytes of one."""
    at, alignment, size, places = 0, 1, 0, {}
    struct = interface.structs[name]
    for one in struct.members:
        bytes_of_one, own = layout_of(interface, one.type, pointer)
        at = 0 if struct.is_union else (at + own - 1) // own * own
        places[one.name] = (at, bytes_of_one * one.count)
        at += bytes_of_one * one.count
        alignment, size = max(alignment, own), max(size, at)
    return (size + alignment - 1) // alignment * alignment, alignment, places


def layout_of(interface, type, pointer):
    if not isinstance(type, Named):
        return pointer, pointer
    name = interface.real(type.name)
    if name in interface.structs:
        return layout(interface, name, pointer)[:2]
    number = NUMBERS[interface.enums[name].number if name in interface.enums else name].bytes or pointer
    return number, number


def camel(name):
    """SolidBox of solid_box."""
    return "".join(word.capitalize() for word in name.split("_"))


# Python


def python(interface):
    """Pointers are those of the package's _pointers.py, which keep what they point to."""
    yield '"""Made by tools/bindings/generate.py of the headers in include/lanecull."""\n'
    yield ("from ctypes import (CFUNCTYPE, c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint8, c_uint16,\n"
           "                    c_uint32, c_uint64, c_void_p)\n"
           "from enum import IntEnum\n\nfrom ._pointers import Pointer, Struct, Union\n")
    yield from (f"{name} = {number}" for name, number in interface.numbers.items())
    for name, enum in interface.enums.items():
        yield f"\n\nclass {camel(name)}(IntEnum):"
        yield from (f"    {cpp.upper()} = {number}" for _, cpp, number in enum.values)
    for name, struct in interface.structs.items():
        yield f"\n\nclass {camel(name)}({'Union' if struct.is_union else 'Struct'}):\n    _fields_ = ["
        for one in struct.members:
            lengths = "".join(f" * {length}" for length in reversed(one.lengths))
            yield f'        ("{one.name}", {python_type(interface, one.type)}{lengths}),'
        yield "    ]"
    yield "\n\nFUNCTIONS = {"
    for name, function in interface.functions.items():
        # What comes back as a pointer is a number, since it keeps nothing.
        result = python_type(interface, function.result).replace("Pointer", "c_void_p")
        given = ", ".join(python_type(interface, one.type) for one in function.parameters)
        yield f'    "lanecull_{name}": ({result}, [{given}]),'
    yield ('}\n\n\ndef declare(library):\n    """Says what those functions take and return that the library has."""\n'
           "    for name, types in FUNCTIONS.items():\n        if function := getattr(library, name, None):\n"
           "            function.restype, function.argtypes = types")


def python_type(interface, type):
    match type:
        case Pointer(Named("char"), True):
            return "c_char_p"
        case Pointer():
            return "Pointer"
        case Callback():
            given = "".join(f", {python_type(interface, one.type)}" for one in type.parameters)
            return f"CFUNCTYPE({python_type(interface, type.result).replace('Pointer', 'c_void_p')}{given})"
    name = interface.real(type.name)
    if name in interface.structs:
        return camel(name)
    if name in interface.enums:
        name = interface.enums[name].number
    return "None" if name == "void" else NUMBERS[name].python


# JavaScript


def javascript(interface):
    yield "// Made by tools/bindings/generate.py of the headers in include/lanecull.\n"
    yield "// Of each struct its bytes, and its fields' types, offsets and lengths; enumerators; other numbers."
    yield "export const layouts = {"
    for name, struct in interface.structs.items():
        size, _, places = layout(interface, name, 4)
        yield f"    {name}: {{\n        bytes: {size},\n        fields: {{"
        for one in struct.members:
            kind, offset = javascript_type(interface, one.type), places[one.name][0]
            yield f"            {one.name}: ['{kind}', {offset}, {one.count}],"
        yield "        },\n    },"
    yield "};\n\nexport const enums = {"
    for name, enum in interface.enums.items():
        yield f"    {name}: {{ " + ", ".join(f"{cpp}: {number}" for _, cpp, number in enum.values) + " },"
    yield "};\n\nexport const numbers = {"
    yield from (f"    {name}: {number}," for name, number in interface.numbers.items())
    yield "};"


def javascript_type(interface, type):
    """A number's, or a struct's name."""
    name = interface.real(type.name) if isinstance(type, Named) else "size_t"
    if name in interface.enums:
        name = interface.enums[name].number
    return NUMBERS[name].javascript if name in NUMBERS else name


def typescript(interface):
    yield "// Made by tools/bindings/generate.py of the headers in include/lanecull.\n"
    yield "export interface Layout {\n    readonly bytes: number;"
    yield "    /** A number's type or a struct's name, the offset in bytes, and how many there are. */"
    yield "    readonly fields: Readonly<Record<string, readonly [type: string, offset: number, length: number]>>;\n}\n"
    yield "export const layouts: {"
    yield from (f"    readonly {name}: Layout;" for name in interface.structs)
    yield "};"
    yield "export const enums: {"
    for name, enum in interface.enums.items():
        yield f"    readonly {name}: {{ " + " ".join(f"readonly {v}: {n};" for _, v, n in enum.values) + " };"
    yield "};\nexport const numbers: {"
    yield from (f"    readonly {name}: {number};" for name, number in interface.numbers.items())
    yield "};"


# C#


def csharp(interface):
    """Fields and functions have their names of C. Arrays are flat. Enumerators are those of tools/csharp as well."""
    yield "// Made by tools/bindings/generate.py of the headers in include/lanecull."
    yield "using System;\nusing System.Runtime.InteropServices;\n\nnamespace Lanecull\n{"
    for name, enum in interface.enums.items():
        values = ", ".join(f"{camel(cpp)} = {number}" for _, cpp, number in enum.values)
        yield f"    public enum {camel(name)} : {NUMBERS[enum.number].csharp} {{ {values} }}"
    yield "}\n\nnamespace Lanecull.Native\n{"
    for name, struct in interface.structs.items():
        kind = "Explicit" if struct.is_union else "Sequential"
        yield f"    [StructLayout(LayoutKind.{kind})]\n    public unsafe struct {camel(name)}\n    {{"
        yield from (f"        {'[FieldOffset(0)] ' * struct.is_union}public {one};"
                    for member in struct.members for one in csharp_fields(interface, member))
        yield "    }"
    yield "    public static unsafe class Functions\n    {"
    yield from (f"        public const uint {name} = {number};" for name, number in interface.numbers.items())
    for name, function in interface.functions.items():
        given = ", ".join(f"{csharp_type(interface, one.type)} @{one.name}" for one in function.parameters)
        result = csharp_type(interface, function.result)
        yield f'        [DllImport("lanecull", CallingConvention = CallingConvention.Cdecl)]'
        yield f"        public static extern {result} lanecull_{name}({given});"
    yield "    }\n}"


def csharp_fields(interface, member):
    kind = csharp_type(interface, member.type)
    if not member.lengths:
        yield f"{kind} @{member.name}"
    elif isinstance(member.type, Named) and member.type.name in NUMBERS:
        yield f"fixed {kind} @{member.name}[{member.count}]"
    else:  # C# has no arrays of structs in structs
        yield from (f"{kind} {member.name}{i}" for i in range(member.count))


def csharp_type(interface, type):
    match type:
        case Pointer(to, _):
            is_opaque = isinstance(to, Named) and to.name in interface.opaque
            return ("void" if is_opaque else csharp_type(interface, to)) + "*"
        case Callback():
            return "IntPtr"
    name = interface.real(type.name)
    return NUMBERS[name].csharp if name in NUMBERS else name if name == "void" else camel(name)


# Rust


def rust(interface):
    yield "// Made by tools/bindings/generate.py of the headers in include/lanecull.\n"
    yield "use std::os::raw::{c_char, c_void};\n"
    yield from (f"pub const {name}: u32 = {number};" for name, number in interface.numbers.items())
    for name, enum in interface.enums.items():
        yield "\n#[repr(transparent)]\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]"
        yield f"pub struct {camel(name)}(pub {NUMBERS[enum.number].rust});\nimpl {camel(name)} {{"
        yield from (f"    pub const {cpp.upper()}: Self = Self({number});" for _, cpp, number in enum.values)
        yield "}"
    for name, struct in interface.structs.items():
        yield f"\n#[repr(C)]\n#[derive(Clone, Copy)]\npub {'union' if struct.is_union else 'struct'} {camel(name)} {{"
        for one in struct.members:
            kind = rust_type(interface, one.type)
            for length in reversed(one.lengths):
                kind = f"[{kind}; {length}]"
            yield f"    pub {rust_name(one.name)}: {kind},"
        yield f"}}\nimpl Default for {camel(name)} {{"
        yield "    fn default() -> Self {\n        unsafe { std::mem::zeroed() }\n    }\n}"
        yield ('#[cfg(target_pointer_width = "64")]\n'
               f"const _: () = assert!(std::mem::size_of::<{camel(name)}>() == {layout(interface, name, 8)[0]});")
    for name in interface.opaque:
        yield f"\n#[repr(C)]\npub struct {camel(name)} {{\n    _private: [u8; 0],\n}}"
    yield '\n#[link(name = "lanecull")]\nextern "C" {'
    for name, function in interface.functions.items():
        given = ", ".join(f"{rust_name(one.name)}: {rust_type(interface, one.type)}" for one in function.parameters)
        result = rust_type(interface, function.result)
        yield f"    pub fn lanecull_{name}({given})" + (f" -> {result};" if result != "c_void" else ";")
    yield "}"


def rust_name(name):
    return f"{name}_" if name in ("box", "self", "where") else name  # Rust's own words


def rust_type(interface, type):
    match type:
        case Pointer(to, is_const):
            kind = "c_char" if to == Named("char") else rust_type(interface, to)
            return f"*{'const' if is_const else 'mut'} {kind}"
        case Callback():
            given = ", ".join(rust_type(interface, one.type) for one in type.parameters)
            result = rust_type(interface, type.result)
            return f'Option<unsafe extern "C" fn({given}){"" if result == "c_void" else f" -> {result}"}>'
    name = interface.real(type.name)
    return NUMBERS[name].rust if name in NUMBERS else "c_void" if name == "void" else camel(name)


# The recorded form, and what compilers say of it


def abi(interface):
    """As 64-bit systems have it."""
    yield from (f"number LANECULL_{name} {number}" for name, number in interface.numbers.items())
    for name, of in interface.aliases.items():
        yield f"type lanecull_{name} " + (of if of in NUMBERS else f"lanecull_{of}")
    for name, enum in interface.enums.items():
        yield f"enum lanecull_{name} {enum.number}"
        yield from (f"  LANECULL_{c} {number}" for c, _, number in enum.values)
    for name, struct in interface.structs.items():
        size, _, places = layout(interface, name, 8)
        yield f"{'union' if struct.is_union else 'struct'} lanecull_{name} {size}"
        for one in struct.members:
            offset, size = places[one.name]
            yield f"  {one.name} at {offset}, {size}: {one.declaration}"
    yield from (f"function {function.declaration}" for _, function in sorted(interface.functions.items()))


def layouts(interface):
    yield "/* Made by tools/bindings/generate.py of the headers in include/lanecull. */"
    yield from (f"#include <lanecull/{name}>" for name in interface.headers)
    yield "\n#ifdef __cplusplus\n#define _Static_assert static_assert\n#define _Alignof alignof\n#else"
    for enum in interface.enums.values():
        yield from (f'_Static_assert(LANECULL_{c} == {number}, "{c}");' for c, _, number in enum.values)
    yield "#endif\n"
    yield from (f'_Static_assert(LANECULL_{name} == {number}, "{name}");' for name, number in interface.numbers.items())
    for pointer, condition in ((8, "#if UINTPTR_MAX == UINT64_MAX"), (4, "#elif defined(__wasm32__)")):
        yield "\n" + condition
        for name in interface.structs:
            size, alignment, places = layout(interface, name, pointer)
            c = f"lanecull_{name}"
            yield f'_Static_assert(sizeof({c}) == {size} && {alignment} == _Alignof({c}), "{name}");'
            for one, (offset, bytes_of_one) in places.items():
                yield (f'_Static_assert(offsetof({c}, {one}) == {offset} && sizeof((({c}*)0)->{one}) == {bytes_of_one}, '
                       f'"{name}.{one}");')
    yield "#endif"


WRITERS = {"python": python, "javascript": javascript, "typescript": typescript, "csharp": csharp, "rust": rust,
           "abi": abi, "layouts": layouts}


def main(kind, to, names):
    pathlib.Path(to).write_text("\n".join(WRITERS[kind](read(names))) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in WRITERS:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
