/**
 * Culling of PlayCanvas' hardware instancing by lanecull: each instance by a box along its node's axes around the mesh's
 * box.
 *
 *     meshInstance.setInstancing(vertexBuffer);               // matrices in pc.VertexFormat.getDefaultInstancingFormat()
 *     const culling = new InstancingCulling(lanecull, meshInstance);
 *     culling.update(entity.camera);                          // each frame, before it is drawn
 *
 * The visible instances come first in the buffer, and `meshInstance.instancingCount` is how many they are: number k there
 * is instance `results.indices()[k]`. `options` are those of Views.prepare(), in the node's coordinates.
 *
 * Tested with PlayCanvas 2.23.
 */

import type { CameraComponent, MeshInstance } from 'playcanvas';
import type { Core } from './index.js';
import type { InstanceCulling } from './instances.js';

export class InstancingCulling {
    constructor(lanecull: Core, meshInstance: MeshInstance);
    readonly meshInstance: MeshInstance;
    /** Shows these instances, by default those of the last cull. */
    show(indices?: Uint32Array): void;
}
/** Matrices are 16 numbers by columns, such as `matrix.data`. */
export interface InstancingCulling extends InstanceCulling<CameraComponent, ArrayLike<number>> {}
