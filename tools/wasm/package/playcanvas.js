// Culling of PlayCanvas' hardware instancing. playcanvas.d.ts is the manual.

import { webgl } from './core.js';
import { MatrixInstances, floatBox, productOf } from './instances.js';
import { refuse } from './memory.js';

export class InstancingCulling extends MatrixInstances {
    #vertexBuffer;

    constructor(lanecull, meshInstance) {
        const vertexBuffer = meshInstance?.instancingData?.vertexBuffer;
        if (vertexBuffer === undefined || vertexBuffer === null) refuse('meshInstance: setInstancing() must have a buffer');
        if (vertexBuffer.format.size !== 64) refuse('meshInstance: its buffer must have the default format for instances');
        const { aabb } = meshInstance.mesh;
        super(lanecull, floatBox({ min: aabb.getMin(), max: aabb.getMax() }),
              [{ shown: new Float32Array(vertexBuffer.lock()), size: 16 }]);
        this.meshInstance = meshInstance;
        this.#vertexBuffer = vertexBuffer;
    }

    // A camera component. Its matrices have WebGL's depth, for WebGPU too.
    cull(camera, options) {
        const world = this.meshInstance.node.getWorldTransform();
        const clipFromInstances = productOf(productOf(camera.projectionMatrix.data, camera.viewMatrix.data), world.data);
        this.cullBy(clipFromInstances, webgl, options);
    }

    show(indices = this.results.indices()) {
        this.moveToFront(indices);
        this.#vertexBuffer.unlock();
        this.meshInstance.instancingCount = indices.length;
    }

    update(camera, options) {
        this.cull(camera, options);
        this.show();
    }

    restore() {
        this.show(this.enabledIndices());
    }
}
