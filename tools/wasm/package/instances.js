// Instances of geometries by matrices, each as a box, and their cull: what the adapters for engines share.

import { disabled } from './core.js';
import { checkCount, refuse } from './memory.js';
import { floatAbove, floatBelow } from './rounding.js';

// A geometry's box, in floats.
export const floatBox = ({ min, max }) => ({
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

// The product of 4x4 matrices, 16 numbers by columns. Engines keep them in floats; this one is of doubles.
export function productOf(a, b) {
    const product = new Array(16);
    for (let i = 0; i < 16; ++i) {
        const row = i & 3, column = i & 12;
        product[i] = a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] +
                     a[row + 12] * b[column + 3];
    }
    return product;
}

// Moves the values of these instances, `size` each, to the array's front.
export function moveToFront(array, all, size, indices) {
    for (let k = 0; k < indices.length; ++k) {
        const from = size * indices[k], to = size * k;
        for (let j = 0; j < size; ++j) array[to + j] = all[from + j];
    }
}

// A view that all meshes of a module share, since most of them have the same coordinates: it is prepared when the
// matrix is another one.
class SharedView {
    static #ofModules = new WeakMap();
    #matrix = new Float64Array(16).fill(NaN);
    #clipSpace = null;

    static of(lanecull) {
        if (!SharedView.#ofModules.has(lanecull)) SharedView.#ofModules.set(lanecull, new SharedView(lanecull));
        return SharedView.#ofModules.get(lanecull);
    }

    constructor(lanecull) {
        this.views = lanecull.createViews(1);
    }

    prepare(matrix, clipSpace, options) {
        const isSame = clipSpace === this.#clipSpace && this.#matrix.every((x, i) => x === matrix[i]);
        if (options === undefined && isSame) return;
        this.#clipSpace = null;
        this.views.prepare(0, matrix, clipSpace, options);
        if (options !== undefined) return;
        this.#matrix.set(matrix);
        this.#clipSpace = clipSpace;
    }
}

export class BoxedInstances {
    #view;

    // boxAt(i): the box of instance i's geometry.
    constructor(lanecull, count, boxAt, outputs, order) {
        this.boxAt = boxAt;
        this.batch = lanecull.createBoxes(count);
        this.#view = SharedView.of(lanecull);
        this.results = lanecull.createCull([this.batch], this.#view.views, { outputs, order });
    }

    get count() {
        return this.batch.count;
    }

    // By a matrix from the instances' coordinates to clip space.
    cullBy(clipFromInstances, clipSpace, options) {
        this.#view.prepare(clipFromInstances, clipSpace, options);
        this.results.run();
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

    enabledIndices() {
        return Uint32Array.from({ length: this.count }, (_, i) => i).filter(i => this.isEnabledAt(i));
    }

    checkInstance(i) {
        return checkCount(i, this.count - 1, 'i');
    }

    destroy() {
        for (const owner of [this.results, this.batch]) owner.destroy();
    }
}

// Instances of one geometry whose matrices an engine keeps in one array, 16 floats each by columns, and has values of
// an instance besides. `shown` are arrays of the engine's, which are written.
export class MatrixInstances extends BoxedInstances {
    #all;

    // values: for each array that is moved, { shown, size }, the matrices first.
    constructor(lanecull, box, values) {
        const [matrices, ...others] = values, count = matrices.shown.length / 16;
        for (const { shown, size } of others) {
            if (shown.length !== count * size) refuse(`values: must be ${size} numbers for each of ${count} instances`);
        }
        super(lanecull, count, () => box, ['indices']);
        this.#all = values.map(({ shown, size }) => ({ shown, size, all: shown.slice() }));
        for (let i = 0; i < count; ++i) this.setBoxAt(i, matrices.shown, 16 * i);
    }

    // From now on instance i has this matrix, 16 numbers by columns.
    setMatrixAt(i, matrix) {
        const [{ all }] = this.#all, at = 16 * this.checkInstance(i);
        for (let j = 0; j < 16; ++j) all[at + j] = matrix[j];
        this.setBoxAt(i, all, at);
    }

    moveToFront(indices) {
        for (const { shown, size, all } of this.#all) moveToFront(shown, all, size, indices);
    }
}
