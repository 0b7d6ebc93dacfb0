// Which objects of some batches some views see: run(), and its results.

import { Batch, camel } from './batches.js';
import { Owner, Struct, checkCount, numberOf, refuse } from './memory.js';
import { enums, layouts } from './layouts.js';
import { Views } from './views.js';

const methods = enums.method;
const orders = {
    ascending: enums.list_order.ascending,
    'front-to-back': enums.list_order.front_to_back,
    'back-to-front': enums.list_order.back_to_front,
};
const outputNames = { bits: 'visible', indices: 'indices', inside: 'inside', statistics: 'explanation' };
const mostViews = 64;
const reasons = Object.keys(enums.reason).map(camel);

const sum = counts => counts.reduce((total, count) => total + count, 0);
const wordsOf = count => Math.ceil(count / 64);

export class Cull extends Owner {
    #batches;
    #views;
    #list;
    #outputs;
    #call;
    #found = [];  // each batch's first word and count in the last run

    constructor(memory, batches, views, options = {}) {
        super(memory, 'cull');
        const { outputs = ['indices'], firstView = 0, viewCount, method = 'automatic', order = 'ascending' } = options;
        if (!Array.isArray(batches) || !batches.every(one => one instanceof Batch)) {
            refuse('batches: must be an array of batches');
        }
        if (!(views instanceof Views)) refuse('views: must be what createViews() gives');
        for (const word of outputs) numberOf(word, outputNames, 'outputs');
        this.#batches = [...batches];
        this.#views = views;
        this.firstView = checkCount(firstView, views.count, 'firstView');
        this.viewCount = checkCount(viewCount ?? views.count - firstView, mostViews, 'viewCount');
        this.#list = this.allocate(layouts.batch.bytes * batches.length);
        batches.forEach((batch, i) => batch.giveWhole(this.#list, i));
        const call = this.#call = this.struct('cull_call');
        call.set('options.method', numberOf(method, methods, 'method'));
        call.setSpan('objects.batches', this.#list, batches.length);
        const objects = call.address + layouts.cull_call.fields.objects[1];
        const orderNumber = numberOf(order, orders, 'order');
        const ordered = orderNumber === orders.ascending ? 0 : this.viewCount;
        const scratchBytes = (memory.exports.lanecull_scratch_bytes(objects, this.viewCount) >>> 0) +
                             (memory.exports.lanecull_order_bytes(objects, ordered) >>> 0);
        call.set('scratch.first', this.allocate(scratchBytes));
        call.set('scratch.bytes', scratchBytes);
        const outputRow = this.allocate(layouts.output.bytes * this.viewCount);
        call.setSpan('views', views.address + firstView * layouts.view.bytes, this.viewCount);
        call.setSpan('outputs', outputRow, this.viewCount);
        this.#outputs = Array.from({ length: this.viewCount },
                                   (_, v) => this.#makeOutput(outputRow + v * layouts.output.bytes, outputs));
        for (const { row } of this.#outputs) row.set('order', orderNumber);
    }

    // Where one view's results go: its struct, and what it is asked for.
    #makeOutput(address, wanted) {
        const row = new Struct(this.memory, 'output', address);
        const capacities = this.#batches.map(batch => batch.capacity);
        const words = sum(capacities.map(wordsOf));
        const output = { row, ranges: this.array('u32', 4 * capacities.length), occluders: null };
        row.setSpan('batch_ranges', output.ranges.address, capacities.length);
        const addArray = (name, length) => {
            output[name] = this.array('u32', length);
            row.setSpan(outputNames[name], output[name].address, length);
        };
        if (wanted.includes('bits')) addArray('bits', 2 * words);
        if (wanted.includes('inside')) addArray('inside', 2 * words);
        if (wanted.includes('indices')) addArray('indices', sum(capacities));
        if (wanted.includes('statistics')) {
            output.statistics = this.struct('explanation');
            row.set('explanation', output.statistics.address);
        }
        return output;
    }

    #output(view, name) {
        this.checkAlive();
        const output = this.#outputs[view];
        if (output === undefined) refuse(`view: must be a whole number below ${this.viewCount}, not ${String(view)}`);
        if (name !== undefined && output[name] === undefined) {
            refuse(`outputs: '${name}' was not asked for when the cull was created`);
        }
        return output;
    }

    // From now on `occluders`, an Occluders or null, hide objects from the view.
    setOccluders(view, occluders) {
        this.#output(view).occluders = occluders;
    }

    #giveOccluders({ row, occluders }) {
        occluders?.checkAlive();
        row.setSpan('occluders', occluders?.address ?? 0, occluders?.count ?? 0);
    }

    run() {
        this.checkAlive();
        this.#views.checkAlive();
        let words = 0;
        const found = this.#batches.map((batch, i) => {
            batch.give(this.#list, i);
            const first = words;
            words += wordsOf(batch.count);
            return { first, count: batch.count };
        });
        for (const output of this.#outputs) {
            if (output.bits !== undefined) output.row.set('visible.count', words);
            if (output.inside !== undefined) output.row.set('inside.count', words);
            this.#giveOccluders(output);
        }
        this.memory.call('cull', this.#call.address);
        this.#found = found;
        return this;
    }

    // How many objects the view sees: of one batch, or of all.
    visibleCount(view = 0, batch) {
        const { row, ranges } = this.#output(view);
        if (batch === undefined) return row.get('visible_count');
        return ranges.current()[4 * this.#checkBatch(batch) + 2];
    }

    // The visible objects' numbers, in order: those of one batch, or of all, batch after batch.
    indices(view = 0, batch) {
        const { row, ranges, indices } = this.#output(view, 'indices');
        if (batch === undefined) return indices.current().subarray(0, row.get('visible_count'));
        const at = 4 * this.#checkBatch(batch);
        const first = ranges.current()[at];
        return indices.current().subarray(first, first + ranges.current()[at + 2]);
    }

    // Bit i % 32 of number i / 32: object i of the batch is visible.
    bits(view = 0, batch = 0) {
        return this.#bitsOf(this.#output(view, 'bits').bits, batch);
    }

    // The same of what lies wholly inside the view's volume.
    inside(view = 0, batch = 0) {
        return this.#bitsOf(this.#output(view, 'inside').inside, batch);
    }

    #bitsOf(array, batch) {
        const { first, count } = this.#found[this.#checkBatch(batch)] ?? { first: 0, count: 0 };
        return array.current().subarray(2 * first, 2 * first + Math.ceil(count / 32));
    }

    // How many objects were decided by which reason.
    statistics(view = 0) {
        const { statistics } = this.#output(view, 'statistics');
        const counts = statistics.getArray('counts.by_reason');
        return { objects: sum(counts), ...Object.fromEntries(reasons.map((name, r) => [name, counts[r]])) };
    }

    #checkBatch(batch) {
        if (this.#batches[batch] === undefined) {
            refuse(`batch: must be a whole number below ${this.#batches.length}, not ${String(batch)}`);
        }
        return batch;
    }
}
