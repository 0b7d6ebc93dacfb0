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
import type { Core, CullOptions } from './index.js';
import type { InstanceCulling } from './instances.js';

interface MeshCulling extends InstanceCulling<Camera, Matrix4> {}

/** The instances that are visible come first in `instanceMatrix`, `instanceColor` and the geometry's instanced
 * attributes, and `mesh.count` is how many they are: number k there is instance `results.indices()[k]`. The geometry
 * must belong to this mesh alone if it has instanced attributes. */
export class InstancedCulling {
    /** In that order they are drawn; ascending by default. */
    constructor(lanecull: Core, mesh: InstancedMesh, options?: Pick<CullOptions, 'order'>);
    readonly mesh: InstancedMesh;
    /** Shows these instances, by default those of the last cull. */
    show(indices?: Uint32Array): void;
    setColorAt(i: number, color: Color): void;
}
export interface InstancedCulling extends MeshCulling {}

/** `perObjectFrustumCulled` is switched off; setVisibleAt() tells the mesh what has changed. Instances that were not
 * visible are not enabled. After instances were added or deleted, or geometries changed, make a new one of these. */
export class BatchedCulling {
    constructor(lanecull: Core, mesh: BatchedMesh);
    readonly mesh: BatchedMesh;
}
export interface BatchedCulling extends MeshCulling {}
