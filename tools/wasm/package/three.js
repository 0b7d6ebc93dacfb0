// Culling of three.js' InstancedMesh and BatchedMesh. three.d.ts is the manual.

import { Box3, Matrix4 } from 'three';

import { disabled, webgl, webgpu } from './index.js';
import { checkCount, refuse } from './memory.js';
import { floatAbove, floatBelow } from './rounding.js';

const webgpuCoordinateSystem = 2001;  // three.js' WebGPUCoordinateSystem

// A geometry's box, in floats.
const floatBox = ({ min, max }) => ({
    min: [min.x, min.y, min.z].map(x => floatBelow(x)), max: [max.x, max.y, max.z].map(x => floatAbove(x)),
});

const axes = ['X', 'Y', 'Z'];

// Box i of the batch becomes one around `box` under the matrix that begins at m[at], by columns.
//
// Products of floats are exact in doubles. The three sums round by at most 2^-53 of `size` each, and so does leaving
// that room: 2^-51 is enough. What is no affine matrix makes an invalid box, which stays visible.
function writeBoxAround(batch, i, box, m, at) {
    const affine = m[at + 3] === 0 && m[at + 7] === 0 && m[at + 11] === 0 && m[at + 15] === 1;
    for (let row = 0; row < 3; ++row) {
        const shift = affine ? m[at + 12 + row] : NaN;
        let low = shift, high = shift, size = Math.abs(shift);
        for (let column = 0; column < 3; ++column) {
            const a = m[at + 4 * column + row] * box.min[column], b = m[at + 4 * column + row] * box.max[column];
            low += Math.min(a, b);
            high += Math.max(a, b);
            size += Math.max(Math.abs(a), Math.abs(b));
        }
        batch[`min${axes[row]}`][i] = floatBelow(low - 2 ** -51 * size);
        batch[`max${axes[row]}`][i] = floatAbove(high + 2 ** -51 * size);
    }
}

// A view that all meshes of a module share, since most of them have the same coordinates: it is prepared when the
// matrix is another one.
class SharedView {
    static #ofModules = new WeakMap();
    #matrix = new Matrix4().set(...new Array(16).fill(NaN));
    #clipSpace = null;

    static of(lanecull) {
        if (!SharedView.#ofModules.has(lanecull)) SharedView.#ofModules.set(lanecull, new SharedView(lanecull));
        return SharedView.#ofModules.get(lanecull);
    }

    constructor(lanecull) {
        this.views = lanecull.createViews(1);
    }

    prepare(matrix, clipSpace, options) {
        if (options === undefined && clipSpace === this.#clipSpace && matrix.equals(this.#matrix)) return;
        this.#clipSpace = null;
        this.views.prepare(0, matrix.elements, clipSpace, options);
        if (options !== undefined) return;
        this.#matrix.copy(matrix);
        this.#clipSpace = clipSpace;
    }
}

// The instances of a mesh as a batch, a camera's view of it in the mesh's coordinates, and their cull.
class MeshCulling {
    #view;
    #matrix = new Matrix4();

    // boxAt(i): the box of instance i's geometry.
    constructor(lanecull, mesh, count, boxAt, outputs) {
        this.mesh = mesh;
        this.boxAt = boxAt;
        this.batch = lanecull.createBoxes(count);
        this.#view = SharedView.of(lanecull);
        this.results = lanecull.createCull([this.batch], this.#view.views, { outputs });
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
        this.#view.prepare(this.#matrix, zeroToOne ? webgpu : webgl, options);
        this.results.run();
    }

    update(camera, options) {
        this.cull(camera, options);
        this.show();
    }

    // Floats of instance i's matrix, from at on.
    setBoxAt(i, matrices, at) {
        writeBoxAround(this.batch, i, this.boxAt(i), matrices, at);
    }

    // Flags cost 6 ns an object, more than the rest of a cull, so there are none before something is disabled.
    setEnabledAt(i, enabled) {
        this.checkInstance(i);
        if (this.batch.flags === undefined) {
            if (enabled) return;
            this.batch.addAttributes(['flags']);
        }
        this.batch.flags[i] = enabled ? 0 : disabled;
    }

    isEnabledAt(i) {
        return (this.batch.flags?.[i] ?? 0) === 0;
    }

    checkInstance(i) {
        return checkCount(i, this.batch.count - 1, 'i');
    }

    destroy() {
        for (const owner of [this.results, this.batch]) owner.destroy();
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
        for (let k = 0; k < indices.length; ++k) {
            const from = size * indices[k], to = size * k;
            for (let j = 0; j < size; ++j) array[to + j] = all[from + j];
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
        if (geometry.boundingBox === null) geometry.computeBoundingBox();
        const box = floatBox(geometry.boundingBox);
        super(lanecull, mesh, count, () => box, ['indices']);
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

    get count() {
        return this.batch.count;
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
        const all = Uint32Array.from({ length: this.count }, (_, i) => i);
        this.show(all.filter(i => this.isEnabledAt(i)));
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
