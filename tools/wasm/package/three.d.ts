/**
 * Culling of three.js' InstancedMesh and BatchedMesh by lanecull: each instance by its geometry's box under its matrix.
 *
 *     const culling = new InstancedCulling(lanecull, mesh);   // when the mesh has its instances
 *     culling.update(camera);                                 // each frame, before renderer.render(scene, camera)
 *
 * The view is the camera's in the mesh's own coordinates; matrices of both are brought up to date. Rays (Raycaster) see
 * what is shown alone. `options` are those of Views.prepare(), in the mesh's coordinates. With `sun` or `lamp` what
 * casts shadows into the view stays as well; without, shadows of what the camera does not see are missing.
 *
 * Tested with three.js 0.172, 0.180 and 0.187.
 */

import type { BatchedMesh, Camera, Color, InstancedMesh, Matrix4 } from 'three';
import type { BoxInstances, Cull, Destroyable, Lanecull, ViewOptions } from './index.js';

interface MeshCulling extends Destroyable {
    readonly batch: BoxInstances;
    /** For occluders (`results.setOccluders(0, occluders)`, in the mesh's coordinates), counts and indices. */
    readonly results: Cull;
    /** Culls, and shows in the mesh what is visible. */
    update(camera: Camera, options?: ViewOptions): void;
    /** Of an instance by its number of before, like all of these. To be called in place of the mesh's own. */
    setMatrixAt(i: number, matrix: Matrix4): void;
    /** Whether the instance may be shown at all. */
    setEnabledAt(i: number, enabled: boolean): void;
    /** Shows all enabled instances again, which three.js culls as before. Not `destroy()`, which is for the end. */
    restore(): void;
}

/** The instances that are visible come first in `instanceMatrix`, `instanceColor` and the geometry's instanced
 * attributes, and `mesh.count` is how many they are: number k there is instance `results.indices()[k]`. The geometry
 * must belong to this mesh alone if it has instanced attributes. */
export class InstancedCulling implements MeshCulling {
    constructor(lanecull: Lanecull, mesh: InstancedMesh);
    readonly mesh: InstancedMesh;
    readonly batch: BoxInstances;
    readonly results: Cull;
    /** How many instances there are. */
    readonly count: number;
    update(camera: Camera, options?: ViewOptions): void;
    setMatrixAt(i: number, matrix: Matrix4): void;
    setColorAt(i: number, color: Color): void;
    setEnabledAt(i: number, enabled: boolean): void;
    restore(): void;
    destroy(): void;
}

/** `perObjectFrustumCulled` is switched off; setVisibleAt() tells the mesh what has changed. Instances that were not
 * visible are not enabled. After instances were added or deleted, or geometries changed, make a new one of these. */
export class BatchedCulling implements MeshCulling {
    constructor(lanecull: Lanecull, mesh: BatchedMesh);
    readonly mesh: BatchedMesh;
    readonly batch: BoxInstances;
    readonly results: Cull;
    update(camera: Camera, options?: ViewOptions): void;
    setMatrixAt(i: number, matrix: Matrix4): void;
    setEnabledAt(i: number, enabled: boolean): void;
    restore(): void;
    destroy(): void;
}
