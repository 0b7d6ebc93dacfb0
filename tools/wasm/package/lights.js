// Lights, which of them light what is seen, and which of them reach which cell of a view.

import { checkBits } from './arguments.js';
import { camel } from './batches.js';
import { Owner, checkCount, checkNumbers, numberOf, refuse, wordsOf } from './memory.js';
import { layouts } from './layouts.js';
import { Occluders } from './occluders.js';

const ends = wordsOf('spot_end');
const sights = wordsOf('sight');
const streams = {
    balls: ['x', 'y', 'z', 'radius'],
    spots: ['x', 'y', 'z', 'range', 'axis_x', 'axis_y', 'axis_z', 'tangent'],
};
const allLayers = 0xffffffff;

export class Lights extends Owner {
    constructor(memory, { balls = 0, spots = 0, end = 'round', layers = false }) {
        super(memory, 'lights');
        this.given = this.struct('lights');
        for (const [name, capacity] of Object.entries({ balls, spots })) this.#addKind(name, capacity);
        this.capacity = balls + spots;
        this.given.set('spots.end', numberOf(end, ends, 'end'));
        if (!layers) return;
        const array = this.array('u32', this.capacity);
        this.given.set('layers', array.address);
        Object.defineProperty(this, 'layers', { get: array.current, enumerable: true });
        this.layers.fill(allLayers);
    }

    // The property NAME: its arrays, and how many of these lights there are.
    #addKind(name, capacity) {
        checkCount(capacity, 0x7fffffff, name);
        const kind = {};
        for (const field of streams[name]) {
            const { address, current } = this.array('f32', capacity);
            this.given.set(`${name}.${field}`, address);
            Object.defineProperty(kind, camel(field), { get: current, enumerable: true });
        }
        const count = `${name}.count`;
        Object.defineProperty(kind, 'count', {
            get: () => this.given.get(count),
            set: value => {
                this.checkAlive();
                this.given.set(count, checkCount(value, capacity, count));
            },
        });
        kind.count = capacity;
        this[name] = kind;
    }

    get count() {
        return this.balls.count + this.spots.count;
    }
}

export class LightCells extends Owner {
    #args;
    #lights;
    #receivers;
    #box;
    #grid;
    #lists;
    #scratch;
    #scratchBytes;
    #visible;   // a bit a light, of the last cull()
    #arrays = {};

    constructor(memory, args, lights, { tilesX, tilesY, boundaries, outputs = ['lists'], entries }) {
        super(memory, 'cells');
        if (!(lights instanceof Lights)) refuse('lights: must be what createLights() gives');
        this.#args = args;
        this.#lights = lights;
        const slices = this.#makeGrid(tilesX, tilesY, boundaries);
        this.count = tilesX * tilesY * slices;
        this.#makeLists(outputs, entries ?? 32 * this.count);
        this.#receivers = this.struct('light_receivers');
        this.#box = this.struct('world_box');
        this.#visible = this.array('u32', 2 * Math.ceil(lights.capacity / 64));
        this.#scratchBytes = memory.count('light_scratch_bytes', tilesX, tilesY, slices, lights.capacity);
        this.#scratch = this.allocate(this.#scratchBytes);
    }

    // Returns how many slices there are.
    #makeGrid(tilesX, tilesY, boundaries) {
        checkCount(tilesX, 64, 'tilesX'), checkCount(tilesY, 64, 'tilesY');
        checkNumbers(boundaries, boundaries?.length ?? 0, 'boundaries');
        if (boundaries.length < 2 || boundaries.length > 129) refuse('boundaries: must be 2 to 129 numbers');
        const grid = this.#grid = this.struct('light_grid');
        const depths = this.array('f64', boundaries.length);
        depths.current().set(boundaries);
        grid.set('clip_from_world', this.allocate(8 * 16));
        grid.set('tiles_x', tilesX), grid.set('tiles_y', tilesY);
        grid.setSpan('boundaries', depths.address, boundaries.length);
        return boundaries.length - 1;
    }

    #makeLists(outputs, entries) {
        this.#lists = this.struct('light_lists');
        for (const output of outputs) numberOf(output, { lists: 0, bits: 1 }, 'outputs');
        const add = (name, field, length) => {
            this.#arrays[name] = this.array('u32', length);
            this.#lists.setSpan(field, this.#arrays[name].address, length);
        };
        if (outputs.includes('lists')) {
            add('offsets', 'offsets', this.count + 1);
            add('indices', 'indices', checkCount(entries, 0x3fffffff, 'entries'));
        }
        if (outputs.includes('bits')) add('bits', 'words', this.count * Math.ceil(this.#lights.capacity / 32));
    }

    // The matrix, and what else the grid has of a frame.
    #setView(clipFromWorld, clipSpace, { sight = 'growing-depth', layerMask = allLayers }) {
        const { memory } = this, grid = this.#grid;
        this.checkAlive(), this.#lights.checkAlive();
        const matrix = this.#args.writeNumbers(clipFromWorld, 16, 'clipFromWorld');
        memory.u8.copyWithin(grid.get('clip_from_world'), matrix, matrix + 8 * 16);
        const space = this.#args.writeClipSpace(clipSpace);
        const at = grid.address + layouts.light_grid.fields.clip_space[1];
        memory.u8.copyWithin(at, space, space + layouts.clip_space.bytes);
        grid.set('sight', numberOf(sight, sights, 'options.sight'));
        grid.set('hidden_layers', ~checkBits(layerMask, 'options.layerMask'));
    }

    cull(clipFromWorld, clipSpace, options = {}) {
        const { bounds, occluders = null } = options;
        this.#setView(clipFromWorld, clipSpace, options);
        if (occluders !== null && !(occluders instanceof Occluders)) {
            refuse('options.occluders: must be what createOccluders() gives');
        }
        occluders?.checkAlive();
        this.#receivers.setSpan('occluders', occluders?.address ?? 0, occluders?.count ?? 0);
        this.#receivers.set('bounds', 0);
        if (bounds !== undefined) {
            this.#box.setArray('lower', checkNumbers(bounds.min, 3, 'options.bounds.min'));
            this.#box.setArray('upper', checkNumbers(bounds.max, 3, 'options.bounds.max'));
            this.#receivers.set('bounds', this.#box.address);
        }
        const { given, count } = this.#lights;
        given.setSpan('visible', 0, 0);
        this.memory.call('cull_lights', this.#grid.address, given.address, this.#receivers.address, 0,
                         this.#visible.address, Math.ceil(count / 64), this.#scratch, this.#scratchBytes);
        return this.visible();
    }

    // Bits of the last cull().
    visible() {
        return this.#visible.current().subarray(0, Math.ceil(this.#lights.count / 32));
    }

    assign(clipFromWorld, clipSpace, options = {}) {
        this.#setView(clipFromWorld, clipSpace, options);
        const { given, count } = this.#lights;
        const words = options.visible ? Math.ceil(count / 64) : 0;
        given.setSpan('visible', words > 0 ? this.#visible.address : 0, words);
        if (this.#arrays.bits !== undefined) this.#lists.set('words.count', this.count * Math.ceil(count / 32));
        this.memory.call('assign_lights', this.#grid.address, given.address, 0, this.#lists.address, this.#scratch,
                         this.#scratchBytes);
        return this;
    }

    get entryCount() {
        return this.#lists.get('entry_count');
    }

    #array(name, output) {
        this.checkAlive();
        if (this.#arrays[name] === undefined) {
            refuse(`outputs: '${output}' was not asked for when the cells were created`);
        }
        return this.#arrays[name].current();
    }

    offsets() {
        return this.#array('offsets', 'lists');
    }
    indices() {
        const indices = this.#array('indices', 'lists');
        return indices.subarray(0, Math.min(this.entryCount, indices.length));
    }
    bits() {
        return this.#array('bits', 'bits').subarray(0, this.#lists.get('words.count'));
    }
}
