"""The labelled cases, tests/data/views.jsonl, decided by the package on every set that runs here, by all methods: the
labels hold."""

import json
import pathlib
import unittest

import numpy as np

import lanecull

CASES = pathlib.Path(__file__).resolve().parents[1] / "data" / "views.jsonl"


def floats(values):
    return np.array(values, np.float32)


def column(values):
    """One object's coordinates."""
    return floats(values).reshape(3, 1)


def prepare(views, case):
    """View 0 becomes the case's; its numbers are floats."""
    light = case.get("light")
    if light is not None:
        light = (lanecull.PointLight(floats(light["at"])) if "at" in light else
                 lanecull.DirectionalLight(floats(light["toward"]), float(floats(light["reach"]))))
    options = lanecull.ViewOptions(light=light)
    view = case["view"]
    if "corners" in view:
        views.prepare_from_corners(0, floats(view["corners"]), options)
    else:
        space = lanecull.ClipSpace(lanecull.DepthRange[view["depth"].upper()])
        views.prepare(0, floats(view["clip_from_world"]), space, options)


def object_of(case):
    """The case's one object."""
    shape = case["shape"]
    match shape["kind"]:
        case "point":
            kind = lanecull.Spheres(column(shape["p"]), floats([0]))
        case "sphere":
            kind = lanecull.Spheres(column(shape["center"]), floats([shape["radius"]]))
        case "aabb" if "min" in shape:
            kind = lanecull.Boxes(column(shape["min"]), column(shape["max"]))
        case "aabb":
            kind = lanecull.CenteredBoxes(column(shape["center"]), column(shape["half_extents"]))
        case "obb":
            kind = lanecull.OrientedBoxes(column(shape["center"]), floats([shape["half_extents"]]),
                                          axes=floats([shape["axes"]]))
        case "capsule":
            kind = lanecull.Capsules(column(shape["a"]), column(shape["b"]), floats([shape["radius"]]))
        case "hull":
            hull = lanecull.Hull(lanecull.streams(shape["vertices"]))
            kind = lanecull.HullInstances(lanecull.Transforms(np.eye(4, dtype=np.float32)[None, :3]), [hull])
    sweep = lanecull.Attributes(sweep=column(shape["sweep"])) if "sweep" in shape else None
    return lanecull.Batches(lanecull.Batch(kind, sweep))


class Labelled(unittest.TestCase):
    def test_every_case(self):
        cases = [json.loads(line) for line in CASES.read_text().splitlines()]
        self.assertGreater(len(cases), 2000)
        sets = [isa for isa in lanecull.Isa if isa != lanecull.Isa.AUTOMATIC and isa.runnable]
        views = lanecull.Views(1)
        asked = 0
        for case in cases:
            prepare(views, case)
            batches = object_of(case)
            for isa in sets:
                for method in lanecull.Method:
                    visible = lanecull.cull(batches, views, isa=isa, method=method).mask()[0]
                    asked += 1
                    why = (case["id"], isa, method)
                    self.assertTrue(visible or case["expect"] != "visible", why)
                    self.assertTrue(not visible or case["expect"] != "culled" or method == lanecull.Method.PLANES, why)
        self.assertIn(lanecull.Isa.SCALAR, sets)
        print(f"{len(cases)} cases, {asked} verdicts on {', '.join(isa.title for isa in sets)}")


if __name__ == "__main__":
    unittest.main()
