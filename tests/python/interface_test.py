"""The package's declarations, which tools/bindings/generate.py writes, are those of the C interface as tests/c/abi.txt
records it; its own enumerators are theirs; and whatever is public has type hints and a docstring."""

import ctypes
import inspect
import pathlib
import re
import unittest

import numpy as np

import lanecull
from lanecull import _interface, _library, _native

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = (ROOT / "tests" / "c" / "abi.txt").read_text()


def c_name(struct):
    """lanecull_cull_options of CullOptions."""
    return "lanecull" + re.sub("([A-Z])", lambda capital: "_" + capital.group().lower(), struct.__name__)


def recorded_structs():
    """Of each struct its size and its fields: name, offset, size."""
    structs, name = {}, None
    for line in RECORD.splitlines():
        if match := re.fullmatch(r"(?:struct|union) (\w+) (\d+)", line):
            name = match[1]
            structs[name] = (int(match[2]), [])
        elif match := re.fullmatch(r"  (\w+) at (\d+), (\d+): .*", line):
            structs[name][1].append((match[1], int(match[2]), int(match[3])))
    return structs


def ctype_of(declared, is_result=False):
    """What ctypes calls a declared parameter or result. Pointers that come back are numbers: they keep nothing."""
    if declared == "const char*":
        return ctypes.c_char_p
    if "*" in declared:
        return ctypes.c_void_p if is_result else _native.Pointer
    if match := re.search(rf"^(?:enum|type) {declared} (\w+)$", RECORD, flags=re.M):
        declared = match[1]
    return {"void": None, "lanecull_status": _native.Status, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
            "size_t": ctypes.c_size_t, "float": ctypes.c_float, "double": ctypes.c_double}[declared]


def recorded_functions():
    """Of each function its result and parameters."""
    for declared in re.findall(r"^function (.*)$", RECORD, flags=re.M):
        result, name, parameters = re.fullmatch(r"(.*?) ?(lanecull_\w+)\((.*)\)", declared).groups()
        parameters = re.sub(r"void \(\*", "void* (", parameters)
        types = [] if parameters == "void" else [re.sub(r" ?\w+$", "", one) for one in parameters.split(", ")]
        yield name, (ctype_of(result, True), [ctype_of(one) for one in types])


def structs():
    """Those that the package declares."""
    return [one for one in vars(_interface).values()
            if inspect.isclass(one) and issubclass(one, (_native.Struct, ctypes.Union)) and "_fields_" in vars(one)]


def functions():
    """Those that the package declares."""
    return [one for one in vars(_native.library).values()
            if isinstance(one, ctypes._CFuncPtr) and one.__name__ in _interface.FUNCTIONS and one.argtypes]


def members(kind):
    """Public functions of a class, those of Python's own classes left out."""
    for name, member in vars(kind).items():
        member = getattr(member, "__func__", member)
        if name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        if isinstance(member, property):
            yield name, member.fget
        elif inspect.isfunction(member):
            yield name, member


class Declarations(unittest.TestCase):
    def test_structs(self):
        recorded = recorded_structs()
        self.assertGreater(len(structs()), 100)
        for struct in structs():
            with self.subTest(struct.__name__):
                declared = [(name, getattr(struct, name).offset, getattr(struct, name).size)
                            for name, *_ in struct._fields_]
                self.assertEqual((ctypes.sizeof(struct), declared), recorded[c_name(struct)])

    def test_functions(self):
        recorded = dict(recorded_functions())
        declared = {f.__name__: (f.restype, list(f.argtypes)) for f in functions()}
        self.assertGreater(len(declared), 90)
        for name, types in declared.items():
            self.assertEqual(types, recorded[name], name)

    def test_enumerators(self):
        lines = re.findall(r"^  LANECULL_(\w+) (\d+)$", RECORD, re.M)
        recorded = {name: int(number) for name, number in lines}
        prefixes = {lanecull.Isa: "ISA_", lanecull.Method: "METHOD_", lanecull.ObjectFlag: "OBJECT_",
                    lanecull.Reason: "", lanecull.DepthRange: "", lanecull.Sight: "SIGHT_",
                    lanecull.Refusal: "REFUSED_", lanecull.Mobility: "", lanecull.Refit: "REFIT_",
                    lanecull.Casters: "CASTERS_", lanecull.BlockOutcome: "BLOCK_"}
        for kind, prefix in prefixes.items():
            for one in kind:
                self.assertEqual(recorded[prefix + one.name], one.value, one)
        sets = [name for name in recorded if name.startswith("ISA_")]
        self.assertEqual(len(sets), len(lanecull.Isa))
        codes = {"INVALID_ARGUMENT": lanecull.InvalidArgument, "NOT_READY": lanecull.NotReady,
                 "OUT_OF_MEMORY": lanecull.OutOfMemory, "UNSUPPORTED": lanecull.Unsupported,
                 "SYSTEM_ERROR": lanecull.SystemFailure, "BAD_FILE": lanecull.BadFile}
        for name, kind in codes.items():
            self.assertEqual(recorded[name], kind.code)

    def test_versions(self):
        header = (ROOT / "include" / "lanecull" / "library.h").read_text()
        version = re.search(r'define LANECULL_VERSION "([0-9.]+)"', header)[1]
        self.assertEqual(lanecull.__version__, version)
        self.assertIn(".".join(version.split(".")[:2]), _library.FILE)
        self.assertIn(f"number LANECULL_FORM {_library.FORM}", RECORD.splitlines())
        self.assertEqual((_interface.FORM, _native.library.lanecull_library_form()), (_library.FORM, _library.FORM))

    def test_statistics_have_every_reason(self):
        self.assertEqual(lanecull.Statistics._fields, ("objects", *(reason.name.lower() for reason in lanecull.Reason)))
        self.assertEqual(len(lanecull.Reason), _interface.REASON_COUNT)
        self.assertEqual(lanecull.NO_LOD, _interface.NO_LOD)


class Pointers(unittest.TestCase):
    """Nothing takes the number of an address, which keeps nothing alive."""

    def test_functions(self):
        array = np.zeros(3)
        refused = 0
        for function in functions():
            for i, kind in enumerate(function.argtypes):
                if kind is _native.Pointer:
                    for wrong in (array.ctypes.data, array, ctypes.c_void_p(array.ctypes.data)):
                        arguments = [wrong if k == i else None for k in range(len(function.argtypes))]
                        arguments[:i] = [one() if one is not _native.Pointer else None for one in function.argtypes[:i]]
                        refused += 1
                        with self.assertRaisesRegex(ctypes.ArgumentError, f"argument {i + 1}: TypeError: expected LP_"):
                            function(*arguments)
        self.assertGreater(refused, 800)

    def test_fields(self):
        refused = 0
        for struct in structs():
            for name, kind in struct._fields_:
                self.assertNotEqual(kind, ctypes.c_void_p, struct)
                if kind is _native.Pointer:
                    refused += 1
                    with self.assertRaises(TypeError):
                        setattr(struct(), name, np.zeros(3).ctypes.data)
        self.assertGreater(refused, 100)


class Surface(unittest.TestCase):
    def test_all_is_sorted_and_there(self):
        self.assertEqual(lanecull.__all__, sorted(lanecull.__all__))
        for name in lanecull.__all__:
            self.assertTrue(hasattr(lanecull, name))
        self.assertTrue((pathlib.Path(lanecull.__file__).parent / "py.typed").exists())

    def test_hints_and_docstrings(self):
        functions = 0
        for public in (getattr(lanecull, name) for name in lanecull.__all__):
            if inspect.isclass(public):
                self.assertTrue(public.__dict__.get("__doc__"), public)
                for name, function in members(public):
                    functions += 1
                    self.check(f"{public.__name__}.{name}", function)
            elif inspect.isfunction(public):
                functions += 1
                self.check(public.__name__, public)
        self.assertGreater(functions, 50)

    def check(self, name, function):
        signature = inspect.signature(function)
        for parameter in signature.parameters.values():
            if parameter.name not in ("self", "cls"):
                self.assertIsNot(parameter.annotation, inspect.Parameter.empty, f"{name}: {parameter.name}")
        self.assertIsNot(signature.return_annotation, inspect.Signature.empty, name)
        if not name.endswith(".__init__"):
            self.assertTrue(function.__doc__, f"{name} has no docstring")


if __name__ == "__main__":
    unittest.main()
