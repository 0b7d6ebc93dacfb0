// Culling of Babylon.js' thin instances. babylon.d.ts is the manual.

import { webgl, webgpu } from './core.js';
import { MatrixInstances, floatBox, productOf } from './instances.js';
import { refuse } from './memory.js';

export class ThinInstanceCulling extends MatrixInstances {
    #kinds;

    constructor(lanecull, mesh, matrices, values = {}) {
        if (typeof mesh?.thinInstanceSetBuffer !== 'function') refuse('mesh: must be a Mesh with thin instances');
        if (!(matrices instanceof Float32Array) || matrices.length % 16 !== 0) {
            refuse('matrices: must be a Float32Array of 16 numbers an instance');
        }
        const { minimum, maximum } = mesh.getRawBoundingInfo().boundingBox;
        const kinds = [['matrix', { shown: matrices, size: 16 }],
                       ...Object.entries(values).map(([kind, { data, size }]) => [kind, { shown: data, size }])];
        super(lanecull, floatBox({ min: minimum, max: maximum }), kinds.map(([, value]) => value));
        this.mesh = mesh;
        this.#kinds = kinds.map(([kind]) => kind);
        for (const [kind, { shown, size }] of kinds) mesh.thinInstanceSetBuffer(kind, shown, size, false);
        mesh.alwaysSelectAsActiveMesh = true;  // the mesh's bounds are not those of its instances
    }

    cull(camera, options) {
        const engine = this.mesh.getEngine();
        // Babylon.js multiplies rows from the left, so its arrays are those of columns.
        const clipFromWorld = productOf(camera.getProjectionMatrix().asArray(), camera.getViewMatrix().asArray());
        const clipFromMesh = productOf(clipFromWorld, this.mesh.computeWorldMatrix(true).asArray());
        this.cullBy(clipFromMesh, engine.isNDCHalfZRange ? webgpu : webgl, options);
    }

    // Without instances Babylon.js would draw the mesh itself.
    show(indices = this.results.indices()) {
        this.moveToFront(indices);
        for (const kind of this.#kinds) this.mesh.thinInstanceBufferUpdated(kind);
        this.mesh.thinInstanceCount = indices.length;
        this.mesh.isVisible = indices.length > 0;
    }

    update(camera, options) {
        this.cull(camera, options);
        this.show();
    }

    restore() {
        this.show(this.enabledIndices());
        this.mesh.alwaysSelectAsActiveMesh = false;
        this.mesh.thinInstanceRefreshBoundingInfo(true);
    }
}
