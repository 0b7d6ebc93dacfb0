"""Culls a frame of three spheres: the first is in view, the second beside it, the third behind the eye."""

import numpy as np

import lanecull

center = np.float32([[0, 90, 0], [0, 0, 0], [-5, -5, 20]])
spheres = lanecull.Spheres(center, radius=np.ones(3, np.float32))
camera = lanecull.perspective(90, 1, 0.1, 1000)
visible = lanecull.Cull(spheres, lanecull.Views.of(camera))().indices()
assert visible.tolist() == [0], visible
print(f"1 of 3 visible, lanecull {lanecull.__version__}")
