// The ways to cull. Each gives, for each mesh, the instances that are to be drawn.

import * as THREE from 'three';

// Everything is drawn.
export function drawAll(cullings) {
    const lists = cullings.map(({ count }) => Uint32Array.from({ length: count }, (_, i) => i));
    return () => lists;
}

// A way by three.js: make(mesh, matrix) makes what is tested of an instance, and list(frustum, made, indices) tests all
// of them, lists those that are seen and returns how many.
function byThree(meshes, make, list) {
    const frustum = new THREE.Frustum(), matrix = new THREE.Matrix4();
    const made = meshes.map(mesh => Array.from({ length: mesh.count }, (_, i) => {
        mesh.getMatrixAt(i, matrix);
        return make(mesh, matrix);
    }));
    const lists = made.map(({ length }) => new Uint32Array(length));
    return camera => {
        matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        frustum.setFromProjectionMatrix(matrix);
        return made.map((of, k) => lists[k].subarray(0, list(frustum, of, lists[k])));
    };
}

// A box for each instance, made beforehand: the fastest way with three.js alone.
export function loopOfBoxes(meshes) {
    for (const { geometry } of meshes) geometry.computeBoundingBox();
    return byThree(meshes, ({ geometry }, matrix) => geometry.boundingBox.clone().applyMatrix4(matrix),
                   (frustum, boxes, indices) => {
        let count = 0;
        for (let i = 0; i < boxes.length; ++i) {
            if (frustum.intersectsBox(boxes[i])) indices[count++] = i;
        }
        return count;
    });
}

// The way that three.js' renderer culls objects: by their geometry's sphere, under their matrix.
export function loopOfObjects(meshes) {
    return byThree(meshes, ({ geometry }, matrix) => ({ geometry, matrixWorld: matrix.clone() }),
                   (frustum, objects, indices) => {
        let count = 0;
        for (let i = 0; i < objects.length; ++i) {
            if (frustum.intersectsObject(objects[i])) indices[count++] = i;
        }
        return count;
    });
}

export function cullByLanecull(cullings) {
    return camera => cullings.map(culling => {
        culling.results.setOccluders(0, null);
        culling.cull(camera);
        return culling.results.indices();
    });
}

// The same, and what stands wholly behind one of the buildings that hide most is culled as well.
export function cullWithOccluders(cullings, hiders) {
    return camera => {
        const occluders = hiders.choose(camera);
        return cullings.map(culling => {
            culling.results.setOccluders(0, occluders);
            culling.cull(camera);
            return culling.results.indices();
        });
    };
}
