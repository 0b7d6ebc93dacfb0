// Uses everything that the package's types declare; tsc compiles it, and refuses the lines that are wrong.
import { BatchedMesh, BoxGeometry, Color, InstancedMesh, Matrix4, MeshBasicMaterial, PerspectiveCamera } from 'three';
import { alwaysVisible, disabled, floatAbove, floatBelow, LanecullError, load, webgl, webgpu } from 'lanecull';
import type { BoxInstances, ClipSpace, Cull, Lanecull, Refusal, Spheres, ViewOptions } from 'lanecull';
import { load as loadCore } from 'lanecull/core';
import { VolumeCulling } from 'lanecull/culling-volume';
import { BatchedCulling, InstancedCulling } from 'lanecull/three';

export function useVolumes(lanecull: Lanecull, plane: { x: number; y: number; z: number; w: number }): number {
    const culling = new VolumeCulling(lanecull, 2, { origin: [1, 2, 3] });
    culling.setSphereAt(0, { center: plane, radius: 1 });
    // @ts-expect-error: a sphere has a radius
    culling.setSphereAt(1, { center: plane });
    return culling.cull({ planes: [plane, { normal: plane, distance: 1 }] }, { margin: 1 }).length + culling.count;
}

export async function useCore(mesh: InstancedMesh): Promise<InstancedCulling> {
    const core = await loadCore();
    core.createCull([core.createSpheres(1), core.createBoxInstances(1, { transforms: 'rows-3x4' })], core.createViews(1));
    // @ts-expect-error: the core is without occluders
    core.createOccluders(1);
    return new InstancedCulling(core, mesh);
}

export async function useAll(matrix: Float32Array): Promise<Uint32Array> {
    const lanecull: Lanecull = await load({ wasm: new URL('file:///x.wasm'), memoryBytes: 1e6 });
    const spheres: Spheres = lanecull.createSpheres(3, { attributes: ['flags', 'sweepX', 'maxDistance'] });
    spheres.x.set([1, floatBelow(2), floatAbove(3)]);
    spheres.flags?.fill(disabled | alwaysVisible);
    spheres.count = 2;
    // @ts-expect-error: only what is declared is an attribute
    lanecull.createBoxes(1, { attributes: ['weight'] });
    // @ts-expect-error: the array is not to be replaced
    spheres.y = new Float32Array(3);
    const instances: BoxInstances = lanecull.createBoxInstances(2, { boxes: 1, transforms: 'rows-3x4' });
    instances.boxIndex?.fill(0);
    const others = [
        lanecull.createBoxes(1), lanecull.createCenteredBoxes(1), lanecull.createCapsules(1),
        lanecull.createOrientedBoxes(1, { orientation: 'axes', boundingRadius: true }),
        lanecull.createHullInstances(1, [[0, 0, 0], new Float32Array(6)], {
            transforms: 'columns-4x4', boundingSpheres: true,
        }),
    ];

    const views = lanecull.createViews(2);
    const space: ClipSpace = { depth: 'zero-to-one', layout: 'row-major', origin: [0, 0, 0] };
    const options: ViewOptions = {
        margin: 1, layerMask: 1, directionalLight: { toward: [0, 1, 0] }, clipPlanes: [[0, 1, 0, 5]],
    };
    views.prepare(0, matrix, webgl, options);
    // @ts-expect-error: a matrix alone does not say which depths are seen
    views.prepare(0, matrix);
    views.prepareStereo(1, matrix, matrix, webgpu);
    views.prepareFromCorners(0, new Float64Array(24));
    views.prepareFromPlanes(0, [[0, 1, 0, 5]], { pointLight: { at: [0, 0, 0], range: 9, sides: [] } });
    views.prepareFromBall(0, [0, 0, 0], 5);
    const ready: boolean = views.isPrepared(0) && views.isExact(0) && !views.seesNothing(0);

    const occluders = lanecull.createOccluders(8);
    occluders.setViewpoint(matrix, space, { sight: 'growing-depth' });
    occluders.setViewpointFromEyes([0, 0, 0], 0.1);
    occluders.setViewpointAlong([0, -1, 0], [0, 0, 0]);
    const refusal: Refusal = occluders.addBox([0, 0, 0], [1, 1, 1], { owner: { batch: 0, object: 0 } });
    occluders.addOrientedBox([0, 0, 0], [1, 1, 1], new Float32Array(9));
    occluders.addPolytope([[0, 1, 0, 5]], { drawn: { min: [0, 0, 0], max: [1, 1, 1] } });

    const solids = lanecull.createSolids(2);
    solids.setBoxAt(0, [0, 0, 0], [1, 1, 1]);
    solids.candidates[0] = 1;
    const chosen: Uint32Array = occluders.choose(solids, views, 0, { perDistance: 0.001 });
    const lights = lanecull.createLights({ balls: 2, spots: 1, end: 'flat', layers: true });
    lights.spots.axisZ.fill(-1);
    lights.balls.count = 1;
    lights.layers?.fill(3);
    // @ts-expect-error: how many cells there are is not left out
    lanecull.createLightCells(lights, { boundaries: [1, 2] });
    const cells = lanecull.createLightCells(lights, {
        tilesX: 4, tilesY: 3, boundaries: [1, Infinity], outputs: ['lists', 'bits'], entries: 100,
    });
    cells.cull(matrix, webgl, { bounds: { min: [0, 0, 0], max: [1, 1, 1] }, occluders, layerMask: 1 });
    const reached: number = cells.assign(matrix, space, { visible: true, sight: 'growing-depth' }).entryCount;
    const words = cells.bits().length + cells.indices()[cells.offsets()[reached] ?? 0]! + cells.visible().length;

    const cull: Cull = lanecull.createCull([spheres, instances, ...others], views, {
        outputs: ['bits', 'indices', 'inside', 'statistics'], firstView: 0, viewCount: 1, method: 'planes',
    });
    cull.setOccluders(0, ready && refusal === null ? occluders : null);
    try {
        cull.run();
    } catch (error) {
        if (error instanceof LanecullError && error.code === 'unsupported') throw error;
    }
    const numbers: number[] = [cull.visibleCount(), cull.statistics().culledOccluded, cull.bits(0, 1)[0]!, words,
                               chosen.length];
    for (const owner of [cull, cells, lights, solids, occluders, views, spheres]) owner.destroy();
    return numbers.length > 0 ? cull.indices(0) : cull.inside();
}

export function useThree(lanecull: Lanecull, camera: PerspectiveCamera): void {
    const instanced = new InstancedCulling(lanecull, new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 5),
                                            { order: 'front-to-back' });
    instanced.setMatrixAt(0, new Matrix4());
    instanced.setColorAt(0, new Color());
    instanced.update(camera, { margin: 1 });
    const batched = new BatchedCulling(lanecull, new BatchedMesh(5, 100, 100, new MeshBasicMaterial()));
    batched.setEnabledAt(0, false);
    batched.update(camera);
    batched.results.setOccluders(0, null);
    batched.restore();
    batched.destroy();
    // @ts-expect-error: a camera it must be
    instanced.update(instanced.mesh);
}
