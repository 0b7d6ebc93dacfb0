// Prints, as JSON, the boxes in the world that three.js gives the objects of glTF files, at rest, and at so many times,
// evenly from 0 to the end of the first animation, where it has the first camera (eye, forward and up) and, of files that
// are called moving, the boxes:
//   node three_boxes.mjs THREE FILE... > boxes.json
// THREE is the folder of three.js (npm install three@0.187.0). What glTF does not say of itself, such as who decompresses
// it, three.js is given; images are not loaded.

import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, ...files] = process.argv.slice(2);
const importOf = (path) => import(pathToFileURL(resolve(folder, path)).href);
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};

const THREE = await importOf('build/three.module.js');
const { GLTFLoader } = await importOf('examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await importOf('examples/jsm/libs/meshopt_decoder.module.js');

// Around the vertices that are drawn, each where the mesh's morph targets and bones move it.
function boxOf(mesh, matrix) {
    const box = new THREE.Box3(), point = new THREE.Vector3(), { index, attributes } = mesh.geometry;
    for (let k = 0; k < (index ?? attributes.position).count; ++k) {
        mesh.getVertexPosition(index ? index.getX(k) : k, point);
        box.expandByPoint(point.applyMatrix4(matrix));
    }
    return [...box.min.toArray(), ...box.max.toArray()];
}

function boxesOf(scene) {
    scene.updateMatrixWorld(true);
    const boxes = [], matrix = new THREE.Matrix4();
    scene.traverse((object) => {
        if (!object.geometry) return;
        if (!object.isInstancedMesh) {
            object.getVertexPosition ??= (k, p) => p.fromBufferAttribute(object.geometry.attributes.position, k);
            boxes.push(boxOf(object, object.matrixWorld));
            return;
        }
        for (let i = 0; i < object.count; ++i) {
            object.getMatrixAt(i, matrix);
            boxes.push(boxOf(object, matrix.premultiply(object.matrixWorld)));
        }
    });
    return boxes;
}

const frames = 33;

function flightOf({ scene, cameras, animations }) {
    const mixer = new THREE.AnimationMixer(scene), action = mixer.clipAction(animations[0]);
    action.setLoop(THREE.LoopOnce).play();
    action.clampWhenFinished = true;
    const flight = [], boxes = [];
    for (let i = 0; i < frames; ++i) {
        action.time = 0;
        action.enabled = true;
        action.paused = false;
        mixer.setTime((animations[0].duration * i) / (frames - 1));
        boxes.push(boxesOf(scene));
        const m = cameras[0].matrixWorld.elements;
        flight.push([...m.slice(12, 15), -m[8], -m[9], -m[10], ...m.slice(4, 7)]);
    }
    return { flight, boxes };
}

const result = { boxes: {}, cameras: {}, moving: {} };
for (const file of files) {
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const bytes = await readFile(file);
    const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
    result.boxes[basename(file)] = boxesOf(gltf.scene);
    if (gltf.cameras.length === 0 || gltf.animations.length === 0) continue;
    const { flight, boxes } = flightOf(gltf);
    result.cameras[basename(file)] = flight;
    if (basename(file).startsWith('moving')) result.moving[basename(file)] = boxes;
}
const text = (rows) => `[\n${rows.map((row) => `      ${JSON.stringify(row)}`).join(',\n')}\n    ]`;
const part = (lists) => Object.entries(lists).map(([file, rows]) => `    ${JSON.stringify(file)}: ${text(rows)}`);
const parts = Object.entries(result).map(([name, lists]) => `  "${name}": {\n${part(lists).join(',\n')}\n  }`);
console.log(`{\n  "three.js": "${THREE.REVISION}",\n${parts.join(',\n')}\n}`);
