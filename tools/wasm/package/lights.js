// Point lights, and which of them reach each cell of a view.

import { Owner, checkCount, checkNumbers } from './memory.js';
import { layouts } from './layouts.js';

const mostLights = 0xfffffffe;

export class LightCells extends Owner {
    #lights;
    #arrays = {};
    #words;
    #scratchBytes;

    constructor(memory, args, capacity, { tiles, boundaries, entries } = {}) {
        super(memory, 'lights');
        this.args = args;
        this.capacity = checkCount(capacity, mostLights, 'count');
        const [across, up] = checkNumbers(tiles, 2, 'tiles'), slices = boundaries?.length - 1;
        for (const count of tiles) checkCount(count, 64, 'tiles');
        checkNumbers(boundaries, checkCount(slices, 128, 'the number of slices') + 1, 'boundaries');
        checkCount(entries, mostLights, 'entries');
        this.#scratchBytes = memory.count('light_scratch_bytes', across, up, slices, capacity);
        this.scratch = this.allocate(this.#scratchBytes);
        this.visible = this.allocate(8 * Math.ceil(capacity / 64));
        this.receivers = this.struct('light_receivers');
        this.#lights = this.struct('lights');
        for (const name of ['x', 'y', 'z', 'range']) {
            this.#addArray(name, 'f32', capacity);
            this.#lights.set(`balls.${name === 'range' ? 'radius' : name}`, this.#arrays[name].address);
        }
        this.count = capacity;
        this.lists = this.struct('light_lists');
        for (const [name, length] of [['offsets', across * up * slices + 1], ['indices', entries]]) {
            this.#addArray(name, 'u32', length);
            this.lists.setSpan(name, this.#arrays[name].address, length);
        }
        this.#makeGrid(across, up, boundaries);
    }

    #addArray(name, type, length) {
        this.#arrays[name] = this.array(type, length);
    }

    #makeGrid(across, up, boundaries) {
        this.grid = this.struct('light_grid');
        this.matrix = this.array('f64', 16);
        this.grid.set('clip_from_world', this.matrix.address);
        this.grid.set('tiles_x', across);
        this.grid.set('tiles_y', up);
        const depths = this.array('f64', boundaries.length);
        depths.current().set(boundaries);
        this.grid.setSpan('boundaries', depths.address, boundaries.length);
    }

    get x() { return this.#arrays.x.current(); }
    get y() { return this.#arrays.y.current(); }
    get z() { return this.#arrays.z.current(); }
    get range() { return this.#arrays.range.current(); }
    get offsets() { return this.#arrays.offsets.current(); }
    get indices() { return this.#arrays.indices.current(); }

    get count() {
        return this.#lights.get('balls.count');
    }
    set count(count) {
        this.checkAlive();
        this.#lights.set('balls.count', checkCount(count, this.capacity, 'count'));
        this.#words = Math.ceil(count / 64);
    }

    get entryCount() {
        return this.lists.get('entry_count');
    }

    assign(clipFromWorld, clipSpace, { occluders = null } = {}) {
        this.checkAlive();
        occluders?.checkAlive();
        const { memory, grid, scratch } = this, lights = this.#lights;
        this.matrix.current().set(checkNumbers(clipFromWorld, 16, 'clipFromWorld'));
        const space = this.args.writeClipSpace(clipSpace);
        memory.u8.copyWithin(grid.address + layouts.light_grid.fields.clip_space[1], space,
                             space + layouts.clip_space.bytes);
        lights.setSpan('visible', 0, 0);
        if (occluders !== null) {
            this.receivers.setSpan('occluders', occluders.address, occluders.count);
            memory.call('cull_lights', grid.address, lights.address, this.receivers.address, 0, this.visible, this.#words,
                        scratch, this.#scratchBytes);
            lights.setSpan('visible', this.visible, this.#words);
        }
        memory.call('assign_lights', grid.address, lights.address, 0, this.lists.address, scratch, this.#scratchBytes);
        return this;
    }
}
