#!/usr/bin/env python3
"""Writes scenes whose boxes boxes.json has: make_scenes.py FOLDER [compressed]

Small clouds of triangles, by every way that glTF has of placing vertices. The same each time: the build makes those that
this folder does not have. `compressed` are those that it has, by Debian's gltfpack and draco_encoder.
"""

import base64
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

CODES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
SIZES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Document:
    """A glTF document with one buffer."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
                     "accessors": [], "bufferViews": []}
        self.data = b""

    def view(self, data, stride=None):
        self.data += b"\0" * (-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        if stride:
            view["byteStride"] = stride
        self.data += data
        self.json["bufferViews"].append(view)
        return len(self.json["bufferViews"]) - 1

    def accessor(self, rows, component=5126, normalized=False, padding=0, sparse=None, data=True):
        """Of rows of numbers; `sparse` has rows that others take the place of."""
        size = len(rows[0])
        pack = struct.Struct("<" + str(size) + CODES[component])
        accessor = {"componentType": component, "count": len(rows), "type": SIZES[size]}
        if normalized:
            accessor["normalized"] = True
        if data:
            stride = pack.size + padding
            packed = b"".join(pack.pack(*row) + b"\xff" * padding for row in rows)
            accessor["bufferView"] = self.view(packed, stride if padding else None)
        if sparse:
            accessor["sparse"] = {
                "count": len(sparse),
                "indices": {"componentType": 5123,
                            "bufferView": self.view(struct.pack(f"<{len(sparse)}H", *sorted(sparse)))},
                "values": {"bufferView": self.view(b"".join(pack.pack(*sparse[i]) for i in sorted(sparse)))}}
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def cloud(self, count=30, size=1.0):
        return [[self.random.uniform(-size, size) for _ in range(3)] for _ in range(count)]

    def positions(self, rows, **how):
        accessor = self.accessor(rows, **how)
        every = rows + list((how.get("sparse") or {}).values())
        columns = list(zip(*every))
        self.json["accessors"][accessor].update(min=[min(c) for c in columns], max=[max(c) for c in columns])
        return accessor

    def mesh(self, *primitives, **more):
        self.json["meshes"].append({"primitives": list(primitives), **more})
        return len(self.json["meshes"]) - 1

    def node(self, parent=None, root=True, **more):
        self.json["nodes"].append(more)
        index = len(self.json["nodes"]) - 1
        if parent is not None:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        elif root:
            self.json["scenes"][0]["nodes"].append(index)
        return index

    def turn(self):
        q = [self.random.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(x * x for x in q))
        return [x / length for x in q]

    def place(self):
        return {"translation": [self.random.uniform(-20, 20) for _ in range(3)], "rotation": self.turn(),
                "scale": [self.random.uniform(0.2, 3) * self.random.choice([-1, 1]) for _ in range(3)]}

    def skin(self, joints, matrices=None):
        skin = {"joints": joints}
        if matrices:
            skin["inverseBindMatrices"] = self.accessor(matrices)
        self.json.setdefault("skins", []).append(skin)
        return len(self.json["skins"]) - 1

    def use(self, extension, required=True):
        self.json.setdefault("extensionsUsed", []).append(extension)
        if required:
            self.json.setdefault("extensionsRequired", []).append(extension)

    def write(self, path):
        text = dict(self.json)
        if path.suffix == ".gltf":
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
            text["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
            path.write_text(json.dumps(text) + "\n", encoding="utf-8")
            return
        text["buffers"] = [{"byteLength": len(self.data)}]
        packed = json.dumps(text).encode()
        packed += b" " * (-len(packed) % 4)
        data = self.data + b"\0" * (-len(self.data) % 4)
        chunks = struct.pack("<II", len(packed), 0x4E4F534A) + packed + struct.pack("<II", len(data), 0x004E4942) + data
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def triangles(document, count=30):
    """Indices of triangles that leave some vertices out."""
    corners = [document.random.randrange(count - 3) for _ in range(3 * count)]
    return document.accessor([[c] for c in corners], component=5123)


def quantized():
    d = Document(1)
    d.use("KHR_mesh_quantization")
    for component, low, high, normalized in [(5120, -128, 127, True), (5121, 0, 255, True), (5122, -32768, 32767, True),
                                             (5123, 0, 65535, True), (5120, -128, 127, False), (5123, 0, 16383, False)]:
        rows = [[d.random.randint(low, high) for _ in range(3)] for _ in range(31)] + [[low] * 3, [high] * 3]
        how = {"component": component, "normalized": normalized, "padding": 1 if component < 5122 else 2}
        position = d.positions(rows, **how)
        scale = 1 if normalized else 1 / high
        parent = d.node(**d.place())
        d.node(parent, mesh=d.mesh({"attributes": {"POSITION": position}}), scale=[scale] * 3, name=str(component))
    return d


def instanced():
    d = Document(2)
    d.use("EXT_mesh_gpu_instancing")
    mesh = d.mesh({"attributes": {"POSITION": d.positions(d.cloud())}, "indices": triangles(d)},
                  {"attributes": {"POSITION": d.positions(d.cloud())}})
    moves = d.accessor([[d.random.uniform(-50, 50) for _ in range(3)] for _ in range(7)])
    turns = d.accessor([[round(32767 * x) for x in d.turn()] for _ in range(7)], component=5122, normalized=True)
    sizes = d.accessor([[d.random.uniform(0.1, 4) for _ in range(3)] for _ in range(7)])
    top = d.node(**d.place())
    for attributes in [{"TRANSLATION": moves}, {"ROTATION": turns, "SCALE": sizes},
                       {"TRANSLATION": moves, "ROTATION": turns, "SCALE": sizes}]:
        d.node(top, mesh=mesh, **d.place(), extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
    return d


def skinned():
    d = Document(3)
    root = d.node(**d.place(), name="hip")
    knee = d.node(root, **d.place(), name="knee")
    foot = d.node(knee, **d.place(), name="foot")
    matrices = [[d.random.uniform(-1, 1) if k % 4 != 3 else float(k == 15) for k in range(16)] for _ in range(3)]
    with_matrices, without = d.skin([foot, root, knee], matrices), d.skin([knee, foot])
    for skin, joints in [(with_matrices, 3), (without, 2)]:
        for component, most in [(5126, 1.0), (5121, 255)]:
            names = [[d.random.randrange(joints) for _ in range(4)] for _ in range(30)]
            shares = []
            for _ in range(30):
                cuts = sorted(d.random.random() for _ in range(3))
                parts = [b - a for a, b in zip([0, *cuts], [*cuts, 1])]
                if component == 5121:
                    parts = [math.floor(most * p) for p in parts]
                    parts[0] += most - sum(parts)
                shares.append(parts)
            attributes = {"POSITION": d.positions(d.cloud()), "JOINTS_0": d.accessor(names, component=5121),
                          "WEIGHTS_0": d.accessor(shares, component=component, normalized=component == 5121)}
            mesh = d.mesh({"attributes": attributes, "indices": triangles(d)})
            d.node(d.node(**d.place()), mesh=mesh, skin=skin, **d.place())
    return d


def morphed():
    d = Document(4)
    d.use("KHR_mesh_quantization")
    targets = [{"POSITION": d.accessor(d.cloud(size=3))},
               {"POSITION": d.accessor([[d.random.randint(-127, 127) for _ in range(3)] for _ in range(30)],
                                       component=5120, normalized=True, padding=1)},
               {"POSITION": d.accessor([[0.0] * 3] * 30, data=False, sparse={k: d.cloud(1, 5)[0] for k in (0, 7, 29)})}]
    mesh = d.mesh({"attributes": {"POSITION": d.positions(d.cloud())}, "targets": targets}, weights=[0.5, -1, 0.25])
    d.node(mesh=mesh, **d.place())
    d.node(mesh=mesh, **d.place(), weights=[0, 2, 1])
    d.node(mesh=mesh, **d.place(), weights=[0, 0, 0])
    joint = d.node(**d.place())
    bound = {"POSITION": d.positions(d.cloud()), "JOINTS_0": d.accessor([[0] * 4] * 30, component=5121),
             "WEIGHTS_0": d.accessor([[1.0, 0, 0, 0]] * 30)}
    skinned_too = d.mesh({"attributes": bound, "targets": targets}, weights=[1, 0, 0.5])
    d.node(mesh=skinned_too, skin=d.skin([joint]), **d.place())
    return d


def sparse():
    d = Document(5)
    far = {k: d.cloud(1, 9)[0] for k in (1, 2, 17)}
    for data in (True, False):
        rows = d.cloud() if data else [[0.0] * 3] * 30
        position = d.positions(rows, data=data, sparse=far)
        d.node(mesh=d.mesh({"attributes": {"POSITION": position}}), **d.place())
    corners = d.accessor([[0]] * 9, component=5123, sparse={1: [1], 2: [2], 4: [3], 5: [7]})
    d.node(mesh=d.mesh({"attributes": {"POSITION": d.positions(d.cloud())}, "indices": corners}), **d.place())
    return d


def modes():
    """Every mode of primitives, and matrices; the scene that counts is the second."""
    d = Document(6)
    # A turn by the quaternion (1, 2, 3, 4) / sqrt 30, sizes 2, -1 and 3; glTF's matrices have no shears.
    columns = [[4 / 30, 28 / 30, -10 / 30], [-20 / 30, 10 / 30, 20 / 30], [22 / 30, 4 / 30, 20 / 30]]
    sized = [[size * x for x in column] + [0] for size, column in zip([2, -1, 3], columns)]
    top = d.node(matrix=[*sized[0], *sized[1], *sized[2], 5, 6, 7, 1])
    for mode in range(7):
        corners = [[d.random.randrange(27)] for _ in range(9)]
        primitive = {"attributes": {"POSITION": d.positions(d.cloud())}, "mode": mode,
                     "indices": d.accessor(corners, component=5125 if mode % 2 else 5121)}
        d.node(top, mesh=d.mesh(primitive), **d.place(), name=f"mode {mode}")
    d.json["scenes"].insert(0, {"nodes": [d.node(mesh=0, root=False, translation=[1000, 0, 0])]})
    d.json["scene"] = 1
    return d


def animated():
    """An object, a joint, a morph target and the camera move; at rest they do not."""
    d = Document(7)
    box = d.mesh({"attributes": {"POSITION": d.positions(d.cloud())},
                  "targets": [{"POSITION": d.accessor(d.cloud(size=2))}]}, weights=[0.5])
    moving = d.node(mesh=box, **d.place(), name="moving")
    eye = d.node(d.node(**d.place()), camera=0, name="eye")
    d.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1}}]
    times = d.accessor([[0.0], [0.5], [2.0]])
    samplers = [{"input": times, "output": d.accessor([[0.0, 0, 0], [1, 0, 0], [9, 0, 0]])},
                {"input": times, "output": d.accessor([d.turn() for _ in range(9)]), "interpolation": "CUBICSPLINE"},
                {"input": times, "output": d.accessor([[0.0], [1.0], [0.0]]), "interpolation": "STEP"}]
    channels = [(0, moving, "translation"), (1, moving, "rotation"), (2, moving, "weights"), (0, eye, "translation")]
    d.json["animations"] = [{"samplers": samplers, "channels": [
        {"sampler": sampler, "target": {"node": node, "path": path}} for sampler, node, path in channels]}]
    return d


def flight():
    """Cameras in nodes that every kind of key moves; the last key is at 2 seconds, which floats hold."""
    d = Document(10)
    d.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1, "zfar": 100}}]
    boom = d.node(d.node(**d.place()), **d.place())
    rig = d.node(boom, **d.place())
    eye = d.node(rig, camera=0, **d.place())
    times = d.accessor([[0.25], [0.5], [1.0], [2.0]])
    turns = [d.turn() for _ in range(4)]
    outputs = [(boom, "translation", "LINEAR", d.accessor(d.cloud(4, 9))),
               (boom, "rotation", "LINEAR", d.accessor(turns)),
               (rig, "translation", "CUBICSPLINE", d.accessor(d.cloud(12, 9))),
               (rig, "rotation", "CUBICSPLINE", d.accessor([d.turn() for _ in range(12)])),
               (rig, "scale", "STEP", d.accessor([[1.0 + k, 2.0, 3.0] for k in range(4)])),
               (eye, "rotation", "STEP", d.accessor(turns))]
    d.json["animations"] = [{
        "samplers": [{"input": times, "output": output, "interpolation": kind} for _, _, kind, output in outputs],
        "channels": [{"sampler": k, "target": {"node": node, "path": path}}
                     for k, (node, path, _, _) in enumerate(outputs)]}]
    return d


def moving():
    """Objects that move with the camera, by themselves, below others and as instances; beside them what rests."""
    d = Document(11)
    d.use("EXT_mesh_gpu_instancing")
    d.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1}}]
    one = d.mesh({"attributes": {"POSITION": d.positions(d.cloud())}})
    two = d.mesh({"attributes": {"POSITION": d.positions(d.cloud())}, "indices": triangles(d)},
                 {"attributes": {"POSITION": d.positions(d.cloud())}})
    arm = d.node(**d.place(), name="arm")
    hand = d.node(arm, mesh=two, **d.place(), name="hand")
    d.node(d.node(hand, **d.place()), mesh=one, **d.place(), name="finger")
    d.node(mesh=two, **d.place(), name="rock")
    gate = d.node(mesh=one, **d.place(), name="gate")
    places = d.accessor([[d.random.uniform(-50, 50) for _ in range(3)] for _ in range(3)])
    swarm = d.node(mesh=two, **d.place(), name="swarm",
                   extensions={"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}})
    other = d.node(mesh=one, **d.place(), name="other")
    eye = d.node(camera=0, **d.place(), name="eye")
    times = d.accessor([[0.25], [0.5], [1.0], [2.0]])

    def animation(*outputs):
        return {"samplers": [{"input": times, "output": output, "interpolation": kind} for _, _, kind, output in outputs],
                "channels": [{"sampler": k, "target": {"node": node, "path": path}}
                             for k, (node, path, _, _) in enumerate(outputs)]}

    d.json["animations"] = [
        animation((arm, "rotation", "LINEAR", d.accessor([d.turn() for _ in range(4)])),
                  (hand, "translation", "STEP", d.accessor(d.cloud(4, 9))),
                  (gate, "rotation", "CUBICSPLINE", d.accessor([d.turn() for _ in range(12)])),
                  (gate, "scale", "LINEAR", d.accessor([[1.0 + k, 2.0, -3.0] for k in range(4)])),
                  (swarm, "translation", "LINEAR", d.accessor(d.cloud(4, 9))),
                  (eye, "translation", "LINEAR", d.accessor(d.cloud(4, 9)))),
        animation((other, "translation", "LINEAR", d.accessor(d.cloud(4, 9))))]
    return d


def ball(d, rings=12):
    """A rough sphere: points and triangles that share them."""
    points, corners = [], []
    for i in range(rings + 1):
        for k in range(rings):
            a, b, r = math.pi * i / rings, 2 * math.pi * k / rings, d.random.uniform(0.9, 1.1)
            points.append([r * math.sin(a) * math.cos(b), r * math.cos(a), r * math.sin(a) * math.sin(b)])
    for i in range(rings):
        for k in range(rings):
            p, q = i * rings + k, i * rings + (k + 1) % rings
            corners += [[p], [q], [p + rings], [q], [q + rings], [p + rings]]
    return points, corners


def balls(seed):
    d = Document(seed)
    for _ in range(2):
        points, corners = ball(d)
        primitive = {"attributes": {"POSITION": d.positions(points)}, "indices": d.accessor(corners, component=5123)}
        d.node(mesh=d.mesh(primitive), **d.place())
    return d


def draco_plain():
    return balls(9)


def draco(folder):
    """The balls of draco_plain, compressed by draco_encoder; accessors have no buffer views."""
    plain, d = draco_plain(), draco_plain()
    d.use("KHR_draco_mesh_compression")
    d.data, d.json["bufferViews"] = b"", []
    for mesh in d.json["meshes"]:
        (primitive,) = mesh["primitives"]
        position, indices = primitive["attributes"]["POSITION"], primitive["indices"]
        with tempfile.TemporaryDirectory() as temporary:
            obj, packed = pathlib.Path(temporary, "ball.obj"), pathlib.Path(temporary, "ball.drc")
            rows, corners = values(plain, position), values(plain, indices)
            lines = [f"v {x} {y} {z}" for x, y, z in rows]
            lines += [f"f {a + 1} {b + 1} {c + 1}" for (a,), (b,), (c,) in zip(*[iter(corners)] * 3)]
            obj.write_text("\n".join(lines), encoding="utf-8")
            subprocess.run(["draco_encoder", "-i", obj, "-o", packed, "-qp", "20"], check=True, capture_output=True)
            view = d.view(packed.read_bytes())
        for accessor in (position, indices):
            del d.json["accessors"][accessor]["bufferView"]
        primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": view, "attributes": {"POSITION": 0}}}
    d.write(folder / "draco.glb")


def values(document, index):
    accessor = document.json["accessors"][index]
    view = document.json["bufferViews"][accessor["bufferView"]]
    size = {name: count for count, name in SIZES.items()}[accessor["type"]]
    pack = struct.Struct("<" + str(size) + CODES[accessor["componentType"]])
    return [pack.unpack_from(document.data, view["byteOffset"] + i * pack.size) for i in range(accessor["count"])]


def meshopt(folder):
    """The balls, compressed by gltfpack, with positions of integers and of floats."""
    balls(8).write(folder / "plain.glb")
    for name, options in [("meshopt", ["-c", "-kn"]), ("meshopt_floats", ["-cc", "-kn", "-noq"])]:
        subprocess.run(["gltfpack", "-i", folder / "plain.glb", "-o", folder / f"{name}.glb", *options], check=True,
                       capture_output=True)
    (folder / "plain.glb").unlink()


def main():
    folder = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ["compressed"]:
        meshopt(folder)
        draco(folder)
        return
    for make, suffix in [(quantized, ".gltf"), (instanced, ".glb"), (skinned, ".gltf"), (morphed, ".gltf"),
                         (sparse, ".gltf"), (modes, ".glb"), (animated, ".gltf"), (flight, ".gltf"),
                         (moving, ".gltf"), (draco_plain, ".glb")]:
        make().write(folder / (make.__name__ + suffix))


if __name__ == "__main__":
    main()
