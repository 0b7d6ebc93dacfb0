// Many bounding spheres at once against a CullingVolume of Cesium or math.gl. culling-volume.d.ts is the manual.

import { checkCount, checkNumbers } from './memory.js';
import { floatAbove } from './rounding.js';

const axes = ['x', 'y', 'z'];

// Cesium's planes are Cartesian4, math.gl's have a normal and a distance: all of [nx, ny, nz, d], inside where
// n . p + d >= 0.
const numbersOf = plane => plane.normal === undefined ? [plane.x, plane.y, plane.z, plane.w]
                                                      : [...axes.map(axis => plane.normal[axis]), plane.distance];

// The plane in coordinates from `origin` on. Its four products and sums round by at most 2^-53 of `size` each; 2^-50 of
// it moves the plane outward by more.
function movedTo(origin, plane) {
    const [x, y, z, d] = numbersOf(plane), terms = [x * origin[0], y * origin[1], z * origin[2], d];
    const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
    return [x, y, z, terms[0] + terms[1] + terms[2] + d + 2 ** -50 * size];
}

export class VolumeCulling {
    constructor(lanecull, count, { origin = [0, 0, 0] } = {}) {
        this.origin = [...checkNumbers(origin, 3, 'origin')];
        this.spheres = lanecull.createSpheres(count);
        this.views = lanecull.createViews(1);
        this.results = lanecull.createCull([this.spheres], this.views, { outputs: ['indices'] });
    }

    get count() {
        return this.spheres.count;
    }

    // The sphere in floats from the origin on contains the given one: its centre is off by at most what is added to the
    // radius, with room for the roundings of that sum.
    setSphereAt(i, { center, radius }) {
        checkCount(i, this.count - 1, 'i');
        let off = 0, size = Math.abs(radius);
        axes.forEach((axis, k) => {
            const x = center[axis] - this.origin[k];
            this.spheres[axis][i] = x;
            off += Math.abs(this.spheres[axis][i] - x);
            size += Math.abs(center[axis]) + Math.abs(this.origin[k]);
        });
        this.spheres.radius[i] = floatAbove(radius + off + 2 ** -50 * size);
    }

    cull(volume, options) {
        this.views.prepareFromPlanes(0, volume.planes.map(plane => movedTo(this.origin, plane)), options);
        return this.results.run().indices();
    }

    destroy() {
        for (const owner of [this.results, this.views, this.spheres]) owner.destroy();
    }
}
