// Culling of three.js' InstancedMesh and BatchedMesh. three.d.ts is the manual.

import { Box3, Matrix4 } from 'three';

import { disabled, webgl, webgpu } from './index.js';
import { checkCount, refuse } from './memory.js';

const webgpuCoordinateSystem = 2001;  // three.js' WebGPUCoordinateSystem

// The nearest floats below and above a number.
const below = x => Math.fround(x) <= x ? Math.fround(x) : Math.fround(x - Math.abs(x) * 2 ** -23 - 2 ** -149);
const above = x => -below(-x);

function writeBox(batch, i, { min, max }) {
    for (const axis of ['x', 'y', 'z']) {
        batch[`min${axis.toUpperCase()}`][i] = below(min[axis]);
        batch[`max${axis.toUpperCase()}`][i] = above(max[axis]);
    }
}

// The instances of a mesh as a batch, a camera's view of it in the mesh's coordinates, and their cull.
class MeshCulling {
    #views;
    #matrix = new Matrix4();

    constructor(lanecull, mesh, count, boxes, outputs) {
        this.mesh = mesh;
        this.batch = lanecull.createBoxInstances(count, { boxes, attributes: ['flags'] });
        this.#views = lanecull.createViews(1);
        this.results = lanecull.createCull([this.batch], this.#views, { outputs });
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
        this.#views.prepare(0, this.#matrix.elements, zeroToOne ? webgpu : webgl, options);
        this.results.run();
    }

    setMatrixAt(i, matrix) {
        matrix.toArray(this.batch.transforms, 16 * this.checkInstance(i));
    }

    setEnabledAt(i, enabled) {
        this.batch.flags[this.checkInstance(i)] = enabled ? 0 : disabled;
    }

    checkInstance(i) {
        return checkCount(i, this.batch.count - 1, 'i');
    }

    destroy() {
        for (const owner of [this.results, this.#views, this.batch]) owner.destroy();
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
    show(indices, from = this.all) {
        const { size, attribute: { array } } = this;
        for (let k = 0; k < indices.length; ++k) {
            const at = size * indices[k];
            for (let j = 0; j < size; ++j) array[size * k + j] = from[at + j];
        }
        this.attribute.clearUpdateRanges();
        this.attribute.addUpdateRange(0, size * indices.length);
        this.attribute.needsUpdate = true;
    }
}

export class InstancedCulling extends MeshCulling {
    #matrices;
    #others;

    constructor(lanecull, mesh) {
        if (!mesh.isInstancedMesh) refuse('mesh: must be an InstancedMesh');
        if (mesh.morphTexture) refuse('mesh: its instances must not be morphed');
        const { count, geometry, instanceColor } = mesh;
        checkInstancedAttributes(geometry);
        super(lanecull, mesh, count, 1, ['indices']);
        if (geometry.boundingBox === null) geometry.computeBoundingBox();
        writeBox(this.batch, 0, geometry.boundingBox);
        this.batch.transforms.set(mesh.instanceMatrix.array.subarray(0, 16 * count));
        this.#matrices = new Instanced(mesh.instanceMatrix, 0);  // all of them are the batch's transforms
        const attributes = instancedAttributesOf(geometry);
        if (instanceColor) attributes.push(instanceColor);
        this.#others = attributes.map(one => new Instanced(one, count));
    }

    get count() {
        return this.batch.count;
    }

    setColorAt(i, color) {
        const colors = this.#others.find(({ attribute }) => attribute === this.mesh.instanceColor);
        if (colors === undefined) refuse('mesh: has no instanceColor, which it must have from the beginning');
        color.toArray(colors.all, 3 * this.checkInstance(i));
    }

    update(camera, options) {
        this.cull(camera, options);
        this.show(this.results.indices());
    }

    show(indices) {
        this.#matrices.show(indices, this.batch.transforms);
        for (const attribute of this.#others) attribute.show(indices);
        this.mesh.count = indices.length;
    }

    restore() {
        const { flags } = this.batch;
        this.show(Uint32Array.from(flags.keys()).filter(i => flags[i] === 0));
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

    constructor(lanecull, mesh) {
        if (!mesh.isBatchedMesh) refuse('mesh: must be a BatchedMesh');
        const geometryIds = geometryIdsOf(mesh);
        const boxes = Math.max(-1, ...new Set(geometryIds)) + 1;
        super(lanecull, mesh, geometryIds.length, boxes, ['bits', 'indices']);
        mesh.perObjectFrustumCulled = false;
        const box = new Box3(), matrix = new Matrix4();
        for (const id of new Set(geometryIds)) if (id >= 0) writeBox(this.batch, id, mesh.getBoundingBoxAt(id, box));
        geometryIds.forEach((id, i) => {
            const exists = id >= 0;
            this.batch.boxIndex[i] = exists ? id : 0;
            this.setEnabledAt(i, exists && mesh.getVisibleAt(i));
            if (exists) this.setMatrixAt(i, mesh.getMatrixAt(i, matrix));
        });
        this.#shown = new Uint32Array(Math.ceil(geometryIds.length / 32));
        geometryIds.forEach((id, i) => {
            if (id >= 0 && mesh.getVisibleAt(i)) this.#shown[i >> 5] |= 1 << (i & 31);
        });
    }

    setMatrixAt(i, matrix) {
        super.setMatrixAt(i, matrix);
        this.mesh.setMatrixAt(i, matrix);
    }

    update(camera, options) {
        this.cull(camera, options);
        this.show(this.results.bits());
    }

    // Tells the mesh which instances have changed.
    show(bits) {
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
        this.batch.flags.forEach((flags, i) => { bits[i >> 5] |= (flags === 0 ? 1 : 0) << (i & 31); });
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
