/**
 * Many bounding spheres at once against a `CullingVolume` of Cesium or math.gl, in place of computeVisibility() for each.
 *
 *     const culling = new VolumeCulling(lanecull, spheres.length, { origin });
 *     spheres.forEach((sphere, i) => culling.setSphereAt(i, sphere));
 *     const visible = culling.cull(frameState.cullingVolume);
 *
 * Spheres are floats from `origin` on, three doubles in the world: choose a point among them, since floats a globe's
 * radius away from it are half a metre apart. Whatever is rounded makes a sphere larger, never smaller.
 *
 * Tested with Cesium's engine 24.0 and math.gl 4.1.
 */

import type { Cull, Destroyable, Lanecull, Spheres, ViewOptions, Views } from './index.js';

interface Point { x: number; y: number; z: number }

export class VolumeCulling implements Destroyable {
    constructor(lanecull: Lanecull, count: number, options?: { origin?: ArrayLike<number> });
    readonly count: number;
    readonly spheres: Spheres;
    readonly views: Views;
    readonly results: Cull;
    /** A BoundingSphere, in the world's coordinates. One that is not finite is always visible. */
    setSphereAt(i: number, sphere: { center: Point; radius: number }): void;
    /** The numbers of the spheres that share a point with the volume. At most 16 planes. */
    cull(volume: { planes: Array<{ x: number; y: number; z: number; w: number } | { normal: Point; distance: number }> },
         options?: ViewOptions): Uint32Array;
    destroy(): void;
}
