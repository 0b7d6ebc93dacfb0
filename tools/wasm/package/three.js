// Culling of three.js' InstancedMesh and BatchedMesh. three.d.ts is the manual.

import { Box3, Matrix4 } from 'three';

import { webgl, webgpu } from './core.js';
import { BoxedInstances, floatBox, moveToFront } from './instances.js';
import { refuse } from './memory.js';

const webgpuCoordinateSystem = 2001;  // three.js' WebGPUCoordinateSystem

// Instances of a mesh as boxes in its coordinates, and a camera's view of them.
class MeshCulling extends BoxedInstances {
    #matrix = new Matrix4();

    constructor(lanecull, mesh, count, boxAt, outputs, order) {
        super(lanecull, count, boxAt, outputs, order);
        this.mesh = mesh;
        // What three.js would test is in view as a whole, or one by one: both are done here.
        mesh.frustumCulled = false;
    }

    cull(camera, options) {
        if (camera.isArrayCamera) refuse('camera: must be one camera, such as one of an ArrayCamera');
        const { mesh } = this;
        camera.updateWorldMatrix(true, false);
        mesh.updateWorldMatrix(true, false);
        const zeroToOne = camera.coordinateSystem === webgpuCoordinateSystem || camera.reversedDepth === true;
        this.#matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(mesh.matrixWorld);
        this.cullBy(this.#matrix.elements, zeroToOne ? webgpu : webgl, options);
    }

    update(camera, options) {
        this.cull(camera, options);
        this.show();
    }
}

// An attribute with a value an instance, all of whose values are kept here.
class Instanced {
    constructor(attribute, count) {
        this.attribute = attribute;
        this.size = attribute.itemSize;
        this.all = attribute.array.slice(0, count * this.size);
    }

    // Moves the values of these instances to the attribute's front.
    show(indices) {
        const { size, all, attribute: { array } } = this;
        moveToFront(array, all, size, indices);
        this.attribute.clearUpdateRanges();
        this.attribute.addUpdateRange(0, size * indices.length);
        this.attribute.needsUpdate = true;
    }
}

export class InstancedCulling extends MeshCulling {
    #matrices;
    #others;

    constructor(lanecull, mesh, { order } = {}) {
        if (!mesh.isInstancedMesh) refuse('mesh: must be an InstancedMesh');
        if (mesh.morphTexture) refuse('mesh: its instances must not be morphed');
        const { count, geometry, instanceColor } = mesh;
        checkInstancedAttributes(geometry);
        if (geometry.boundingBox === null) geometry.computeBoundingBox();
        const box = floatBox(geometry.boundingBox);
        super(lanecull, mesh, count, () => box, ['indices'], order);
        this.#matrices = new Instanced(mesh.instanceMatrix, count);
        for (let i = 0; i < count; ++i) this.setBoxAt(i, this.#matrices.all, 16 * i);
        const attributes = instancedAttributesOf(geometry);
        if (instanceColor) attributes.push(instanceColor);
        this.#others = attributes.map(one => new Instanced(one, count));
    }

    setMatrixAt(i, matrix) {
        const at = 16 * this.checkInstance(i);
        matrix.toArray(this.#matrices.all, at);
        this.setBoxAt(i, this.#matrices.all, at);
    }

    setColorAt(i, color) {
        const colors = this.#others.find(({ attribute }) => attribute === this.mesh.instanceColor);
        if (colors === undefined) refuse('mesh: has no instanceColor, which it must have from the beginning');
        color.toArray(colors.all, 3 * this.checkInstance(i));
    }

    show(indices = this.results.indices()) {
        this.#matrices.show(indices);
        for (const attribute of this.#others) attribute.show(indices);
        this.mesh.count = indices.length;
    }

    restore() {
        this.show(this.enabledIndices());
        this.mesh.boundingSphere = null;  // of those that were shown
        this.mesh.boundingBox = null;
        this.mesh.frustumCulled = true;
    }
}

// The geometry's values that change from instance to instance.
const instancedAttributesOf = geometry =>
    Object.values(geometry.attributes).filter(one => one.isInstancedBufferAttribute);

// Those that could not be moved with their instance.
function checkInstancedAttributes(geometry) {
    for (const one of Object.values(geometry.attributes)) {
        const attribute = one.isInterleavedBufferAttribute ? one.data : one;
        if (attribute.isInstancedInterleavedBuffer || (attribute.meshPerAttribute ?? 1) !== 1) {
            refuse('mesh.geometry: instanced attributes must not be interleaved, and have a value an instance');
        }
    }
}

export class BatchedCulling extends MeshCulling {
    #shown;
    #floats = new Float32Array(16);

    constructor(lanecull, mesh) {
        if (!mesh.isBatchedMesh) refuse('mesh: must be a BatchedMesh');
        const geometryIds = geometryIdsOf(mesh), count = geometryIds.length;
        const boxes = new Map();
        for (const id of new Set(geometryIds)) {
            if (id >= 0) boxes.set(id, floatBox(mesh.getBoundingBoxAt(id, new Box3())));
        }
        super(lanecull, mesh, count, i => boxes.get(geometryIds[i]), ['bits', 'indices']);
        mesh.perObjectFrustumCulled = false;
        this.#shown = new Uint32Array(Math.ceil(count / 32));
        const matrix = new Matrix4();
        for (let i = 0; i < count; ++i) {
            const exists = geometryIds[i] >= 0, isVisible = exists && mesh.getVisibleAt(i);
            if (exists) this.#setBox(i, mesh.getMatrixAt(i, matrix));
            if (isVisible) this.#shown[i >> 5] |= 1 << (i & 31);
            this.setEnabledAt(i, isVisible);
        }
    }

    #setBox(i, matrix) {
        matrix.toArray(this.#floats);
        this.setBoxAt(i, this.#floats, 0);
    }

    setMatrixAt(i, matrix) {
        this.checkInstance(i);
        this.mesh.setMatrixAt(i, matrix);
        this.#setBox(i, matrix);
    }

    // Tells the mesh which instances have changed.
    show(bits = this.results.bits()) {
        for (let w = 0; w < bits.length; ++w) {
            let changed = bits[w] ^ this.#shown[w];
            this.#shown[w] = bits[w];
            for (; changed !== 0; changed &= changed - 1) {
                const k = 31 - Math.clz32(changed & -changed);
                this.mesh.setVisibleAt(32 * w + k, (bits[w] >>> k & 1) === 1);
            }
        }
    }

    restore() {
        const bits = new Uint32Array(this.#shown.length);
        for (let i = 0; i < this.batch.count; ++i) bits[i >> 5] |= (this.isEnabledAt(i) ? 1 : 0) << (i & 31);
        this.show(bits);
        this.mesh.perObjectFrustumCulled = true;
        this.mesh.frustumCulled = true;
    }
}

// Each instance's geometry; -1 where the instance was deleted.
function geometryIdsOf(mesh) {
    const ids = [];
    for (let i = 0, found = 0; found < mesh.instanceCount && i < mesh.maxInstanceCount; ++i) {
        try {
            ids[i] = mesh.getGeometryIdAt(i);
            ++found;
        } catch {
            ids[i] = -1;
        }
    }
    return ids;
}
