// The ways to cull. Each gives, for each mesh, the instances that are to be drawn.

import * as THREE from 'three';
import { webgl } from 'lanecull';
import { chooseSolids } from './solids.js';

const mostOccluders = 32;

// Everything is drawn.
export function drawAll(cullings) {
    const lists = cullings.map(({ count }) => Uint32Array.from({ length: count }, (_, i) => i));
    return () => lists;
}

// A box for each instance, and a loop over them: the way that three.js culls objects.
export function cullByThree(cullings) {
    const frustum = new THREE.Frustum(), matrix = new THREE.Matrix4();
    const boxes = cullings.map(({ mesh, count }) => {
        mesh.geometry.computeBoundingBox();
        return Array.from({ length: count }, (_, i) => {
            mesh.getMatrixAt(i, matrix);
            return mesh.geometry.boundingBox.clone().applyMatrix4(matrix);
        });
    });
    const lists = boxes.map(({ length }) => new Uint32Array(length));
    return camera => {
        matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        frustum.setFromProjectionMatrix(matrix);
        return boxes.map((of, k) => {
            let count = 0;
            for (let i = 0; i < of.length; ++i) {
                if (frustum.intersectsBox(of[i])) lists[k][count++] = i;
            }
            return lists[k].subarray(0, count);
        });
    };
}

export function cullByLanecull(cullings) {
    return camera => cullings.map(culling => {
        culling.results.setOccluders(0, null);
        culling.cull(camera);
        return culling.results.indices();
    });
}

// The same, and what stands wholly behind one of the buildings that look largest is culled as well.
export function cullWithOccluders(cullings, lanecull) {
    const occluders = lanecull.createOccluders(mostOccluders);
    const solids = chooseSolids(cullings.find(({ mesh }) => mesh.name === 'buildings').mesh);
    const matrix = new THREE.Matrix4();
    return camera => {
        // What a rasteriser adds, as raster_margin.hpp has it: half a pixel, since WebGL promises no more than 4 bits
        // of subpixels and world coordinates are floats, and four units of a depth buffer of 24 bits.
        const perDistance = 2 * Math.tan(camera.fov * Math.PI / 360) / camera.pixelHeight / 2;
        const depthPerSquare = 4 * 2 ** -24 / camera.near;
        matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        occluders.setViewpoint(matrix.elements, webgl);
        for (const { min, max } of solids(camera, mostOccluders)) {
            occluders.addBox(min, max, { perDistance, depthPerSquare });
        }
        return cullings.map(culling => {
            culling.results.setOccluders(0, occluders);
            culling.cull(camera);
            return culling.results.indices();
        });
    };
}
