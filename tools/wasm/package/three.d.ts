/**
 * Culling of three.js' InstancedMesh and BatchedMesh by lanecull: each instance by a box along the mesh's axes around
 * its geometry's box, which is made when its matrix is set.
 *
 *     const culling = new InstancedCulling(lanecull, mesh);   // when the mesh has its instances
 *     culling.update(camera);                                 // each frame, before renderer.render(scene, camera)
 *
 * The view is the camera's in the mesh's own coordinates; matrices of both are brought up to date. Rays (Raycaster) see
 * what is shown alone. `options` are those of Views.prepare(), in the mesh's coordinates. With `directionalLight` or
 * `pointLight` what casts shadows into the view stays as well; without, shadows of what the camera does not see are
 * missing.
 *
 * Tested with three.js 0.172, 0.180 and 0.187.
 */

import type { BatchedMesh, Camera, Color, InstancedMesh, Matrix4 } from 'three';
import type { Boxes, Cull, Destroyable, Lanecull, ViewOptions } from './index.js';

interface MeshCulling extends Destroyable {
    readonly batch: Boxes;
    /** For occluders (`results.setOccluders(0, occluders)`, in the mesh's coordinates), counts and indices. */
    readonly results: Cull;
    /** Culls, and shows in the mesh what is visible: cull() and show(). */
    update(camera: Camera, options?: ViewOptions): void;
    cull(camera: Camera, options?: ViewOptions): void;
    show(): void;
    /** Of an instance by its number of before, like all of these. To be called in place of the mesh's own. */
    setMatrixAt(i: number, matrix: Matrix4): void;
    /** Whether the instance may be shown at all. The first that may not takes memory, as what is called create... does,
     * and culls take longer from then on. */
    setEnabledAt(i: number, enabled: boolean): void;
    isEnabledAt(i: number): boolean;
    /** Shows all enabled instances again, which three.js culls as before. Not `destroy()`, which is for the end. */
    restore(): void;
}

/** The instances that are visible come first in `instanceMatrix`, `instanceColor` and the geometry's instanced
 * attributes, and `mesh.count` is how many they are: number k there is instance `results.indices()[k]`. The geometry
 * must belong to this mesh alone if it has instanced attributes. */
export class InstancedCulling {
    constructor(lanecull: Lanecull, mesh: InstancedMesh);
    readonly mesh: InstancedMesh;
    /** How many instances there are. */
    readonly count: number;
    /** Shows these instances, by default those of the last cull. */
    show(indices?: Uint32Array): void;
    setColorAt(i: number, color: Color): void;
}
export interface InstancedCulling extends MeshCulling {}

/** `perObjectFrustumCulled` is switched off; setVisibleAt() tells the mesh what has changed. Instances that were not
 * visible are not enabled. After instances were added or deleted, or geometries changed, make a new one of these. */
export class BatchedCulling {
    constructor(lanecull: Lanecull, mesh: BatchedMesh);
    readonly mesh: BatchedMesh;
}
export interface BatchedCulling extends MeshCulling {}
