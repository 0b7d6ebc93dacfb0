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

import type { Camera } from '@babylonjs/core/Cameras/camera.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { Core } from './index.js';
import type { InstanceCulling } from './instances.js';

export class ThinInstanceCulling {
    /**
     * Gives the mesh `matrices`, 16 floats an instance as for thinInstanceSetBuffer(), and other values of an instance
     * by the names of their buffers, such as `{ color: { data, size: 4 } }`. From then on these arrays belong to the
     * mesh. Its geometry must have its bounds.
     */
    constructor(lanecull: Core, mesh: Mesh, matrices: Float32Array,
                values?: Record<string, { data: Float32Array; size: number }>);
    readonly mesh: Mesh;
    /** Shows these instances, by default those of the last cull. */
    show(indices?: Uint32Array): void;
}
export interface ThinInstanceCulling extends InstanceCulling<Camera, ArrayLike<number>> {}
