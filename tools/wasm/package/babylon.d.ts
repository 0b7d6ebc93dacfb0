/**
 * Culling of Babylon.js' thin instances by lanecull: each instance by a box along the mesh's axes around its geometry's
 * box.
 *
 *     const culling = new ThinInstanceCulling(lanecull, mesh, matrices);
 *     culling.update(scene.activeCamera);                     // each frame, before scene.render()
 *
 * The visible instances come first in the buffers, and `mesh.thinInstanceCount` is how many they are: number k there is
 * instance `results.indices()[k]`. Where none is visible the mesh is not. `options` are those of Views.prepare(), in the
 * mesh's coordinates.
 *
 * Tested with Babylon.js 9.35.
 */

import type { Camera } from '@babylonjs/core/Cameras/camera';
import type { Mesh } from '@babylonjs/core/Meshes/mesh';
import type { Boxes, Cull, Destroyable, Lanecull, ViewOptions } from './index.js';

export class ThinInstanceCulling implements Destroyable {
    /**
     * Gives the mesh `matrices`, 16 floats an instance as for thinInstanceSetBuffer(), and other values of an instance
     * by the names of their buffers, such as `{ color: { data, size: 4 } }`. From then on these arrays belong to the
     * mesh. Its geometry must have its bounds.
     */
    constructor(lanecull: Lanecull, mesh: Mesh, matrices: Float32Array,
                values?: Record<string, { data: Float32Array; size: number }>);
    readonly mesh: Mesh;
    readonly count: number;
    readonly batch: Boxes;
    readonly results: Cull;
    /** Culls, and shows in the mesh what is visible: cull() and show(). */
    update(camera: Camera, options?: ViewOptions): void;
    cull(camera: Camera, options?: ViewOptions): void;
    /** Shows these instances, by default those of the last cull. */
    show(indices?: Uint32Array): void;
    /** Of an instance by its number of before, like all of these. */
    setMatrixAt(i: number, matrix: ArrayLike<number>): void;
    setEnabledAt(i: number, enabled: boolean): void;
    isEnabledAt(i: number): boolean;
    /** Shows all enabled instances again, which Babylon.js culls as before. */
    restore(): void;
    destroy(): void;
}
