// The adapters for three.js, against what three.js says itself: three.mjs MODULES
//   MODULES  a folder node_modules with lanecull, three, and versions of it
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeRandom } from '../../web/random.js';

const modules = resolve(process.argv[2]);
const importOf = (...path) => import(pathToFileURL(join(modules, ...path)));
const { load, LanecullError } = await importOf('lanecull', 'index.js');
const { BatchedCulling, InstancedCulling } = await importOf('lanecull', 'three.js');
const lanecull = await load();

// Turned, stretched and mirrored, and some sheared if asked for.
function randomMatrix(THREE, random, spread, sheared) {
    const signed = size => (2 * random() - 1) * size;
    const at = new THREE.Vector3(signed(spread), signed(spread), signed(spread));
    const turn = new THREE.Quaternion(signed(1), signed(1), signed(1), signed(1)).normalize();
    const size = new THREE.Vector3(0.2 + 3 * random(), 0.2 + 3 * random(), random() < 0.2 ? -1 : 1);
    const matrix = new THREE.Matrix4().compose(at, turn, size);
    if (sheared && random() < 0.3) matrix.multiply(new THREE.Matrix4().makeShear(signed(1), 0, 0, signed(1), 0, 0));
    return matrix;
}

function makeCameras(THREE) {
    const perspective = new THREE.PerspectiveCamera(60, 16 / 9, 0.1, 60);
    const orthographic = new THREE.OrthographicCamera(-20, 20, 10, -10, 1, 50);
    const infinite = new THREE.PerspectiveCamera(40, 1, 0.5, Infinity);
    const webgpu = new THREE.PerspectiveCamera(60, 16 / 9, 0.1, 60);
    webgpu.coordinateSystem = THREE.WebGPUCoordinateSystem;
    const holder = new THREE.Group();
    holder.position.set(5, 3, 1);
    holder.add(webgpu);
    for (const camera of [perspective, orthographic, infinite, webgpu]) {
        camera.position.set(3, 4, 20);
        camera.lookAt(0, 0, 0);
        if (camera !== infinite) camera.updateProjectionMatrix();
    }
    infinite.projectionMatrix.set(2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0);
    return { perspective, orthographic, infinite, webgpu };
}

// three.js' planes in the world, and whether a point, by so much inside of them all, is seen.
function frustumOf(THREE, camera) {
    camera.updateWorldMatrix(true, false);
    const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return new THREE.Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem ?? THREE.WebGLCoordinateSystem);
}

function cornersOf(THREE, box, matrix) {
    return Array.from({ length: 8 }, (_, k) => new THREE.Vector3(
        box[k & 1 ? 'max' : 'min'].x, box[k & 2 ? 'max' : 'min'].y, box[k & 4 ? 'max' : 'min'].z).applyMatrix4(matrix));
}

// Checks a list of visible instances against three.js: none that has a corner in the frustum is missing, and none is
// there whose box along the mesh's axes is behind one plane. cornersAt(i): the instance's, in the mesh's coordinates.
function checkVisible(THREE, camera, mesh, visible, count, cornersAt) {
    const frustum = frustumOf(THREE, camera), planes = frustum.planes.filter(({ normal }) => normal.length() > 0.5);
    let behind = 0;
    for (let i = 0; i < count; ++i) {
        const corners = cornersAt(i);
        const box = cornersOf(THREE, new THREE.Box3().setFromPoints(corners), mesh.matrixWorld);
        if (!visible.has(i)) {
            const seen = corners.some(corner => frustum.containsPoint(corner.applyMatrix4(mesh.matrixWorld)));
            assert.ok(!seen, `${i} is in view and was culled`);
        }
        if (planes.some(plane => box.every(corner => plane.distanceToPoint(corner) < -1e-3))) {
            ++behind;
            assert.ok(!visible.has(i), `${i} is behind a plane and was kept`);
        }
    }
    assert.ok(behind > count / 10 && visible.size > count / 50, `${behind} behind, ${visible.size} visible`);
}

function makeInstanced(THREE, count) {
    const random = makeRandom(7), geometry = new THREE.ConeGeometry(1, 3, 7);
    geometry.setAttribute('weight', new THREE.InstancedBufferAttribute(Float32Array.from(Array(count).keys()), 1));
    const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial(), count);
    const matrices = Array.from({ length: count }, (_, i) => {
        const matrix = randomMatrix(THREE, random, 40, true);
        mesh.setMatrixAt(i, matrix);
        mesh.setColorAt(i, new THREE.Color(i / count, 0.5, 0.25));
        mesh.getMatrixAt(i, matrix);
        return matrix;
    });
    mesh.position.set(1, -2, 3);
    mesh.rotation.set(0.3, 0.2, 0.1);
    mesh.updateMatrixWorld();
    return { mesh, matrices };
}

function testInstanced(THREE) {
    const count = 2000, { mesh, matrices } = makeInstanced(THREE, count);
    const culling = new InstancedCulling(lanecull, mesh);
    mesh.geometry.computeBoundingBox();
    const cornersAt = i => cornersOf(THREE, mesh.geometry.boundingBox, matrices[i]);
    const { minX, maxX, minZ, maxZ } = culling.batch;
    for (let i = 0; i < count; ++i) {
        for (const { x, z } of cornersAt(i)) assert.ok(minX[i] <= x && x <= maxX[i] && minZ[i] <= z && z <= maxZ[i]);
    }
    const found = new THREE.Matrix4(), color = new THREE.Color();
    // What the mesh shows is the visible instances, each with its own matrix, colour and attribute.
    const checkShown = indices => {
        assert.equal(mesh.count, indices.length);
        indices.forEach((i, k) => {
            mesh.getMatrixAt(k, found);
            assert.deepEqual(found.elements, matrices[i].elements);
            mesh.getColorAt(k, color);
            assert.equal(color.r, Math.fround(i / count));
            assert.equal(mesh.geometry.attributes.weight.array[k], i);
        });
    };
    for (const camera of Object.values(makeCameras(THREE))) {
        culling.update(camera);
        const indices = culling.results.indices();
        checkVisible(THREE, camera, mesh, new Set(indices), count, cornersAt);
        checkShown(indices);
    }

    const { perspective } = makeCameras(THREE);
    culling.update(perspective);
    const [first, second] = culling.results.indices();
    culling.setEnabledAt(first, false);
    matrices[second].makeTranslation(0, 1e4, 0);
    culling.setMatrixAt(second, matrices[second]);
    culling.update(perspective);
    assert.ok(!culling.results.indices().includes(first) && !culling.results.indices().includes(second));
    const before = mesh.count;
    culling.update(perspective, { margin: 5 });
    assert.ok(mesh.count > before);
    culling.update(perspective, { directionalLight: { toward: [0, 1, 0] } });
    assert.ok(mesh.count > before && culling.results.indices().includes(second));
    culling.restore();
    checkShown([...matrices.keys()].filter(i => i !== first));
    culling.destroy();
    assert.throws(() => culling.update(perspective), LanecullError);
}

// Without shears: three.js scales spheres by the longest column, and so culls sheared objects that are in view.
function makeBatched(THREE, count) {
    const random = makeRandom(8);
    const geometries =
        [new THREE.BoxGeometry(1, 2, 3), new THREE.SphereGeometry(1, 8, 6), new THREE.ConeGeometry(1, 2, 6)];
    const mesh = new THREE.BatchedMesh(count, 1000, 2000, new THREE.MeshBasicMaterial());
    const ids = geometries.map(geometry => mesh.addGeometry(geometry));
    const kind = [];
    for (let i = 0; i < count; ++i) {
        kind[i] = i % geometries.length;
        mesh.addInstance(ids[kind[i]]);
        mesh.setMatrixAt(i, randomMatrix(THREE, random, 40, false));
    }
    mesh.deleteInstance(10);
    mesh.setVisibleAt(11, false);
    mesh.position.set(-1, 2, 3);
    mesh.updateMatrixWorld();
    geometries.forEach(geometry => geometry.computeBoundingBox());
    return { mesh, boxAt: i => geometries[kind[i]].boundingBox };
}

// What three.js would draw, by its own lists.
function drawn(mesh, camera, scene) {
    mesh.onBeforeRender({}, scene, camera, mesh.geometry, mesh.material, null);
    return new Set(mesh._indirectTexture.image.data.slice(0, mesh._multiDrawCount));
}

function testBatched(THREE) {
    const count = 1500, { mesh, boxAt } = makeBatched(THREE, count), scene = new THREE.Scene();
    const matrix = new THREE.Matrix4();
    const instances = [...Array(count).keys()].filter(i => i !== 10 && i !== 11);
    for (const sorted of [true, false]) {
        mesh.sortObjects = sorted;
        for (const camera of Object.values(makeCameras(THREE))) {
            const cornersAt = k => {
                mesh.getMatrixAt(instances[k], matrix);
                return cornersOf(THREE, boxAt(instances[k]), matrix);
            };
            camera.updateWorldMatrix(true, false);
            const byThree = drawn(mesh, camera, scene);
            const culling = new BatchedCulling(lanecull, mesh);
            culling.update(camera);
            const ours = drawn(mesh, camera, scene);
            assert.deepEqual(ours, new Set(culling.results.indices()));
            const visible = new Set([...instances.keys()].filter(k => ours.has(instances[k])));
            checkVisible(THREE, camera, mesh, visible, instances.length, cornersAt);
            // three.js tests spheres around the same objects, which contain less than the boxes at their corners.
            const more = [...ours].filter(i => !byThree.has(i)).length;
            assert.ok(more < ours.size / 10, `${more} of ${ours.size} that three.js does not see`);
            culling.restore();
            assert.deepEqual(drawn(mesh, camera, scene), byThree);
            culling.destroy();
        }
    }
}

function testRefusals(THREE) {
    const geometry = new THREE.BoxGeometry(), material = new THREE.MeshBasicMaterial();
    assert.throws(() => new InstancedCulling(lanecull, new THREE.Mesh(geometry, material)), /must be an InstancedMesh/);
    assert.throws(() => new BatchedCulling(lanecull, new THREE.Mesh(geometry, material)), /must be a BatchedMesh/);
    const mesh = new THREE.InstancedMesh(geometry, material, 3);
    const culling = new InstancedCulling(lanecull, mesh);
    assert.throws(() => culling.setMatrixAt(3, new THREE.Matrix4()), /^LanecullError: i: /);
    assert.throws(() => culling.setColorAt(0, new THREE.Color()), /no instanceColor/);
    assert.throws(() => culling.update(new THREE.ArrayCamera()), /must be one camera/);
    geometry.setAttribute('half', new THREE.InstancedBufferAttribute(new Float32Array(2), 1, false, 2));
    const halved = new THREE.InstancedMesh(geometry, material, 3);
    assert.throws(() => new InstancedCulling(lanecull, halved), /a value an instance/);
}

const versions = readdirSync(modules).filter(name => /^three(-\d+)?$/.test(name));
test('there are versions to test with', () => assert.ok(versions.length >= 3));
for (const name of versions) {
    const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
    const THREE = await importOf(name, 'build/three.module.js');
    test(`three.js ${version}: InstancedMesh`, () => testInstanced(THREE));
    test(`three.js ${version}: BatchedMesh`, () => testBatched(THREE));
    test(`three.js ${version}: bad input`, () => testRefusals(THREE));
}
