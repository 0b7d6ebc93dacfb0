// Buildings as solids. Of those in view the ones that hide most are chosen by votes.

import * as THREE from 'three';
import { webgl } from 'lanecull';

const mostOccluders = 32;

export class Hiders {
    #matrix = new THREE.Matrix4();

    // culling: of upright boxes, whose geometry is a unit cube that stands on y = 0.
    constructor(lanecull, culling) {
        this.culling = culling;
        this.occluders = lanecull.createOccluders(mostOccluders);
        this.views = lanecull.createViews(1);
        const { mesh } = culling, matrix = this.#matrix;
        this.solids = lanecull.createSolids(mesh.count);
        for (let i = 0; i < mesh.count; ++i) {
            mesh.getMatrixAt(i, matrix);
            const { min, max } = mesh.geometry.boundingBox.clone().applyMatrix4(matrix);
            this.solids.setBoxAt(i, min.toArray(), max.toArray());
        }
    }

    // The occluders for this camera.
    choose(camera) {
        const { culling, occluders, solids, views } = this, matrix = this.#matrix;
        culling.results.setOccluders(0, null);
        culling.cull(camera);
        solids.candidates.fill(0);
        for (const i of culling.results.indices()) solids.candidates[i >> 5] |= 1 << (i & 31);
        matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        views.prepare(0, matrix.elements, webgl);
        occluders.setViewpoint(matrix.elements, webgl);
        // What a rasteriser adds, as occluder.h has it: half a pixel, since WebGL promises no more than 4 bits
        // of subpixels and world coordinates are floats, and four units of a depth buffer of 24 bits.
        const perDistance = 2 * Math.tan(camera.fov * Math.PI / 360) / camera.pixelHeight / 2;
        const depthPerSquare = 4 * 2 ** -24 / camera.near;
        occluders.choose(solids, views, 0, { perDistance, depthPerSquare });
        return occluders;
    }
}
