// Which objects of some batches some views see: run(), and its results.

import { Batch, camel } from './batches.js';
import { Owner, Struct, checkCount, numberOf, refuse } from './memory.js';
import { layouts, numbers } from './layouts.js';
import { Views } from './views.js';

const methods = { automatic: numbers.METHOD_AUTOMATIC, planes: numbers.METHOD_PLANES };
const outputNames = { bits: 'visible', indices: 'indices', inside: 'inside', statistics: 'statistics' };
const mostViews = 64;
const statisticNames = Object.keys(layouts.statistics.fields).filter(name => name !== 'size');

const sum = counts => counts.reduce((total, count) => total + count, 0);
const wordsOf = count => Math.ceil(count / 64);

export class Cull extends Owner {
    #batches;
    #views;
    #list;
    #outputs;
    #scratch;
    #scratchBytes;
    #options;
    #found = [];  // each batch's first word and count in the last run

    constructor(memory, batches, views, options = {}) {
        super(memory, 'cull');
        const { outputs = ['indices'], firstView = 0, viewCount, method = 'automatic' } = options;
        if (!Array.isArray(batches) || !batches.every(one => one instanceof Batch)) {
            refuse('batches: must be an array of batches');
        }
        if (!(views instanceof Views)) refuse('views: must be what createViews() gives');
        for (const word of outputs) numberOf(word, outputNames, 'outputs');
        this.#batches = [...batches];
        this.#views = views;
        this.firstView = checkCount(firstView, views.count, 'firstView');
        this.viewCount = checkCount(viewCount ?? views.count - firstView, mostViews, 'viewCount');
        this.#list = this.create('batches', batches.length);
        batches.forEach((batch, i) => batch.giveWhole(this.#list, i));
        this.#options = this.struct('cull_options');
        this.#options.set('method', numberOf(method, methods, 'method'));
        this.#scratchBytes = memory.exports.lanecull_scratch_bytes(this.#list, this.viewCount) >>> 0;
        this.#scratch = this.allocate(this.#scratchBytes);
        this.outputRow = this.allocate(layouts.view_output.bytes * this.viewCount);
        this.#outputs = Array.from({ length: this.viewCount }, (_, v) => this.#makeOutput(v, outputs));
    }

    // Where one view's results go: its struct, and what it is asked for.
    #makeOutput(v, wanted) {
        const row = new Struct(this.memory, 'view_output', this.outputRow + v * layouts.view_output.bytes);
        const capacities = this.#batches.map(batch => batch.capacity);
        const words = sum(capacities.map(wordsOf));
        const output = { row, ranges: this.array('u32', 4 * capacities.length), occluders: null };
        row.set('batch_ranges', output.ranges.address);
        row.set('batch_range_count', capacities.length);
        const addArray = (name, length) => {
            output[name] = this.array('u32', length);
            row.set(outputNames[name], output[name].address);
        };
        if (wanted.includes('bits')) addArray('bits', 2 * words);
        if (wanted.includes('inside')) addArray('inside', 2 * words);
        if (wanted.includes('indices')) {
            addArray('indices', sum(capacities));
            row.set('index_capacity', sum(capacities));
        }
        if (wanted.includes('statistics')) {
            output.statistics = this.struct('statistics');
            row.set('statistics', output.statistics.address);
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
        row.set('occluders', occluders?.address ?? 0);
        row.set('occluder_count', occluders?.count ?? 0);
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
            if (output.bits !== undefined) output.row.set('visible_words', words);
            if (output.inside !== undefined) output.row.set('inside_words', words);
            this.#giveOccluders(output);
        }
        const { exports, message } = this.memory;
        this.memory.check(exports.lanecull_cull(
            this.#list, this.#views.address, this.firstView, this.viewCount, this.outputRow, this.#scratch,
            this.#scratchBytes, this.#options.address, 0, message));
        this.#found = found;
        return this;
    }

    // How many objects the view sees: of one batch, or of all.
    visibleCount(view = 0, batch) {
        const { row, ranges } = this.#output(view);
        if (batch === undefined) return row.get('visible_count');
        return ranges.current()[4 * this.#checkBatch(batch) + 2];
    }

    // The visible objects' numbers, ascending: those of one batch, or of all, batch after batch.
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
        return Object.fromEntries(statisticNames.map(name => [camel(name), statistics.get(name)]));
    }

    #checkBatch(batch) {
        if (this.#batches[batch] === undefined) {
            refuse(`batch: must be a whole number below ${this.#batches.length}, not ${String(batch)}`);
        }
        return batch;
    }
}
