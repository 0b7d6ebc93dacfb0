// The adapters for Babylon.js, PlayCanvas, Cesium and math.gl, against what these say themselves: engines.mjs MODULES
//   MODULES  a folder node_modules with lanecull and the packages of package.json
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeRandom } from '../../web/random.js';

const modules = resolve(process.argv[2]);
const importOf = (...path) => import(pathToFileURL(join(modules, ...path)));
const { load, LanecullError } = await importOf('lanecull', 'index.js');
const lanecull = await load();

const count = 2000, half = [0.5, 1, 1.5], spread = 80;

// Matrices by columns, turned about one axis, stretched and moved.
function randomMatrices(random) {
    const matrices = new Float32Array(16 * count);
    for (let i = 0; i < count; ++i) {
        const angle = 7 * random(), c = Math.cos(angle), s = Math.sin(angle), size = 0.3 + 2 * random();
        const at = () => spread * (random() - 0.5);
        matrices.set([size * c, 0, -size * s, 0, 0, 1, 0, 0, s, 0, c, 0, at(), at(), at(), 1], 16 * i);
    }
    return matrices;
}

// The corners of instance i's box, moved by `shift`.
function cornersAt(matrices, i, shift) {
    const m = matrices.subarray(16 * i, 16 * i + 16);
    return Array.from({ length: 8 }, (_, k) => {
        const p = half.map((h, axis) => k >> axis & 1 ? h : -h);
        return [0, 1, 2].map(row => m[row] * p[0] + m[row + 4] * p[1] + m[row + 8] * p[2] + m[row + 12] + shift[row]);
    });
}

// Nothing with a corner well inside all planes is missing; nothing is there whose box is well behind one.
function checkVisible(visible, planes, corners) {
    const heights = (plane, points) => points.map(([x, y, z]) => plane[0] * x + plane[1] * y + plane[2] * z + plane[3]);
    let culled = 0;
    for (let i = 0; i < count; ++i) {
        const seen = corners(i).some(corner => planes.every(plane => heights(plane, [corner])[0] > 1e-3));
        assert.ok(!seen || visible.has(i), `${i} is in view and was culled`);
        // The library's boxes lie along the mesh's axes, and may reach farther than the instance.
        const box = corners(i), bounds = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map(axis =>
            Math[k >> axis & 1 ? 'max' : 'min'](...box.map(corner => corner[axis]))));
        const behind = planes.some(plane => heights(plane, bounds).every(height => height < -1e-3));
        assert.ok(!behind || !visible.has(i), `${i} is behind a plane and was kept`);
        culled += behind ? 1 : 0;
    }
    assert.ok(culled > count / 10 && visible.size > count / 50, `${culled} behind, ${visible.size} visible`);
}

// What every adapter of instances does: show() moves the visible to the front, edits and switches count.
function checkInstances(culling, matrices, camera, { planes, shift, shown, shownCount }) {
    const all = matrices.slice();
    const checkShown = indices => {
        assert.equal(shownCount(), indices.length);
        indices.forEach((i, k) => assert.deepEqual(shown().subarray(16 * k, 16 * k + 16), all.subarray(16 * i, 16 * i + 16)));
    };
    culling.update(camera);
    let indices = [...culling.results.indices()];
    checkVisible(new Set(indices), planes, i => cornersAt(all, i, shift));
    checkShown(indices);

    const [first, second] = indices;
    culling.setEnabledAt(first, false);
    all[16 * second + 13] = 1e5;
    culling.setMatrixAt(second, all.subarray(16 * second, 16 * second + 16));
    culling.update(camera);
    indices = [...culling.results.indices()];
    assert.ok(!indices.includes(first) && !indices.includes(second) && !culling.isEnabledAt(first));
    culling.update(camera, { margin: 5 });
    assert.ok(culling.results.indices().length > indices.length);
    culling.show(new Uint32Array(0));
    assert.equal(shownCount(), 0);
    culling.restore();
    checkShown([...Array(count).keys()].filter(i => i !== first));
    assert.throws(() => culling.setMatrixAt(count, all), /^LanecullError: i: /);
    culling.destroy();
    assert.throws(() => culling.update(camera), LanecullError);
}

test('Babylon.js: thin instances', async () => {
    const core = path => importOf('@babylonjs', 'core', path);
    const { NullEngine } = await core('Engines/nullEngine.js');
    const { Scene } = await core('scene.js');
    const { CreateBox } = await core('Meshes/Builders/boxBuilder.js');
    await core('Meshes/thinInstanceMesh.js');
    const { FreeCamera } = await core('Cameras/freeCamera.js');
    const { Vector3 } = await core('Maths/math.vector.js');
    const { Frustum } = await core('Maths/math.frustum.js');
    const { ThinInstanceCulling } = await importOf('lanecull', 'babylon.js');
    const scene = new Scene(new NullEngine({ renderWidth: 160, renderHeight: 90, textureSize: 1 }));
    const camera = new FreeCamera('camera', new Vector3(3, 4, -30), scene);
    camera.setTarget(Vector3.Zero());
    const [width, height, depth] = half.map(h => 2 * h);
    const mesh = CreateBox('mesh', { width, height, depth }, scene);
    mesh.position.set(1, -2, 3);
    const matrices = randomMatrices(makeRandom(3)), colors = Float32Array.from({ length: 4 * count }, (_, i) => i);
    const given = matrices.slice();
    const culling = new ThinInstanceCulling(lanecull, mesh, given, { color: { data: colors, size: 4 } });
    culling.update(camera);
    culling.results.indices().forEach((i, k) => assert.deepEqual([...colors.subarray(4 * k, 4 * k + 4)],
                                                                 [0, 1, 2, 3].map(j => 4 * i + j)));
    const planes = Frustum.GetPlanes(camera.getViewMatrix().multiply(camera.getProjectionMatrix())).map(
        ({ normal, d }) => [normal.x, normal.y, normal.z, d]);
    checkInstances(culling, matrices, camera, { planes, shift: [1, -2, 3], shown: () => given,
                                                shownCount: () => mesh.isVisible ? mesh.thinInstanceCount : 0 });
    assert.throws(() => new ThinInstanceCulling(lanecull, {}, matrices), /must be a Mesh/);
    assert.throws(() => new ThinInstanceCulling(lanecull, mesh, new Float32Array(17)), /16 numbers an instance/);
    assert.throws(() => new ThinInstanceCulling(lanecull, mesh, new Float32Array(32), { color: { data: colors, size: 4 } }),
                  /4 numbers for each of 2 instances/);
});

test('PlayCanvas: hardware instancing', async () => {
    globalThis.navigator ??= { userAgent: 'node' };
    const pc = await importOf('playcanvas', 'build', 'playcanvas.mjs');
    const { InstancingCulling } = await importOf('lanecull', 'playcanvas.js');
    const device = new pc.NullGraphicsDevice({ width: 160, height: 90, addEventListener() {} });
    const mesh = pc.Mesh.fromGeometry(device, new pc.BoxGeometry({ halfExtents: new pc.Vec3(...half) }));
    const node = new pc.GraphNode();
    node.setLocalPosition(1, -2, 3);
    const meshInstance = new pc.MeshInstance(mesh, new pc.StandardMaterial(), node);
    const matrices = randomMatrices(makeRandom(4)), eye = new pc.Mat4().setLookAt(
        new pc.Vec3(3, 4, 30), pc.Vec3.ZERO, pc.Vec3.UP);
    const camera = { projectionMatrix: new pc.Mat4().setPerspective(60, 16 / 9, 0.1, 100), viewMatrix: eye.invert() };
    assert.throws(() => new InstancingCulling(lanecull, meshInstance), /setInstancing\(\) must have a buffer/);
    const buffer = new pc.VertexBuffer(device, pc.VertexFormat.getDefaultInstancingFormat(device), count,
                                       { data: matrices.slice().buffer });
    meshInstance.setInstancing(buffer);
    const frustum = new pc.Frustum();
    frustum.setFromMat4(new pc.Mat4().mul2(camera.projectionMatrix, camera.viewMatrix));
    const planes = Array.from({ length: 6 }, (_, k) => [...frustum.planeData.subarray(4 * k, 4 * k + 4)]);
    checkInstances(new InstancingCulling(lanecull, meshInstance), matrices, camera, {
        planes, shift: [1, -2, 3], shown: () => new Float32Array(buffer.lock()),
        shownCount: () => meshInstance.instancingCount });
});

// Spheres around a point of the globe, against what each library says of one at a time.
function checkVolumes({ VolumeCulling }, { makeVolume, makeSphere, isOutside }) {
    const random = makeRandom(5), origin = [4e6, 3e6, 4e6], at = () => 400 * (random() - 0.5);
    const spheres = Array.from({ length: count }, () => makeSphere(origin.map(x => x + at()), 10 * random()));
    const culling = new VolumeCulling(lanecull, count, { origin });
    spheres.forEach((sphere, i) => culling.setSphereAt(i, sphere));
    const volume = makeVolume(origin), visible = new Set(culling.cull(volume));
    let outside = 0;
    spheres.forEach((sphere, i) => {
        if (isOutside(volume, sphere)) ++outside;
        else assert.ok(visible.has(i), `${i} was culled`);
        // Well outside by the library's own planes: that is culled.
        const smaller = makeSphere([sphere.center.x, sphere.center.y, sphere.center.z], sphere.radius + 0.01);
        if (isOutside(volume, smaller)) assert.ok(!visible.has(i), `${i} was kept`);
    });
    assert.ok(outside > count / 4 && outside < count * 0.95, `${outside} outside`);
    culling.setSphereAt(0, makeSphere([NaN, 0, 0], 1));
    assert.ok(culling.cull(volume).includes(0));
    assert.throws(() => culling.setSphereAt(count, spheres[0]), /^LanecullError: i: /);
    culling.destroy();
}

test('Cesium: CullingVolume', async () => {
    const { BoundingSphere, Cartesian3, Intersect, PerspectiveFrustum } = await importOf('@cesium', 'engine', 'index.js');
    checkVolumes(await importOf('lanecull', 'culling-volume.js'), {
        makeVolume: origin => new PerspectiveFrustum({ fov: 2, aspectRatio: 1.5, near: 1, far: 300 }).computeCullingVolume(
            new Cartesian3(...origin), new Cartesian3(1, 0, 0), new Cartesian3(0, 0, 1)),
        makeSphere: (center, radius) => new BoundingSphere(new Cartesian3(...center), radius),
        isOutside: (volume, sphere) => volume.computeVisibility(sphere) === Intersect.OUTSIDE,
    });
});

test('math.gl: CullingVolume', async () => {
    const { BoundingSphere, INTERSECTION, _PerspectiveFrustum: PerspectiveFrustum } = await importOf('@math.gl', 'culling', 'dist', 'index.js');
    checkVolumes(await importOf('lanecull', 'culling-volume.js'), {
        makeVolume: origin => new PerspectiveFrustum({ fov: 2, aspectRatio: 1.5, near: 1, far: 300 }).computeCullingVolume(
            origin, [1, 0, 0], [0, 0, 1]),
        makeSphere: (center, radius) => new BoundingSphere(center, radius),
        isOutside: (volume, sphere) => volume.computeVisibility(sphere) === INTERSECTION.OUTSIDE,
    });
});
