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
import type { Boxes, Cull, Destroyable, Lanecull, ViewOptions } from './index.js';

export class InstancingCulling implements Destroyable {
    constructor(lanecull: Lanecull, meshInstance: MeshInstance);
    readonly meshInstance: MeshInstance;
    readonly count: number;
    readonly batch: Boxes;
    readonly results: Cull;
    /** Culls, and shows what is visible: cull() and show(). */
    update(camera: CameraComponent, options?: ViewOptions): void;
    cull(camera: CameraComponent, options?: ViewOptions): void;
    /** Shows these instances, by default those of the last cull. */
    show(indices?: Uint32Array): void;
    /** Of an instance by its number of before, like all of these; 16 numbers by columns, such as `matrix.data`. */
    setMatrixAt(i: number, matrix: ArrayLike<number>): void;
    setEnabledAt(i: number, enabled: boolean): void;
    isEnabledAt(i: number): boolean;
    /** Shows all enabled instances again. */
    restore(): void;
    destroy(): void;
}
