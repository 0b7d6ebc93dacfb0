// The memory of the module, structs of the C interface in it, and calls of that interface.

import { enums, layouts } from './layouts.js';

// Enumerators by their names in JavaScript: { 'zero-to-one': 0, ... }.
export function wordsOf(name) {
    return Object.fromEntries(Object.entries(enums[name]).map(([word, number]) => [word.replaceAll('_', '-'), number]));
}

const codes = Object.keys(wordsOf('status_code'));

export class LanecullError extends Error {
    constructor(code, text) {
        super(text);
        this.name = 'LanecullError';
        this.code = code;
    }
}

export function refuse(text) {
    throw new LanecullError('invalid-argument', text);
}

// A whole number from 0 to `most`.
export function checkCount(value, most, name) {
    if (!Number.isInteger(value) || value < 0 || value > most) {
        refuse(`${name}: must be a whole number from 0 to ${most}, not ${String(value)}`);
    }
    return value;
}

// The number of a word of `table`, an object.
export function numberOf(word, table, name) {
    if (!Object.hasOwn(table, word)) {
        refuse(`${name}: must be one of ${Object.keys(table).join(', ')}, not ${String(word)}`);
    }
    return table[word];
}

// Whether `numbers` is an array of that many.
export function checkNumbers(numbers, length, name) {
    if (!(Array.isArray(numbers) || ArrayBuffer.isView(numbers)) || numbers.length !== length) {
        refuse(`${name}: must be an array of ${length} numbers`);
    }
    return numbers;
}

const arrayTypes = {
    f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array,
};

export class Memory {
    // What the module imports calls this, so it is made before the module. bytes: how much memory to begin with.
    start(exports, bytes) {
        this.exports = exports;
        const missing = Math.ceil((bytes - exports.memory.buffer.byteLength) / 65536);
        if (missing > 0) this.#grow(missing);
        this.refresh();
        exports._initialize?.();
        this.status = this.allocate(layouts.status.bytes);
        this.message = this.allocate(layouts.message.bytes);
    }

    #grow(pages) {
        try {
            this.exports.memory.grow(pages);
        } catch {
            throw new LanecullError('out-of-memory', `memory: there are no ${pages} pages of 64 KiB more`);
        }
    }

    // Arrays over all of memory. Those of before have no elements once it has grown.
    refresh() {
        const { buffer } = this.exports.memory;
        for (const [type, ArrayType] of Object.entries(arrayTypes)) this[type] = new ArrayType(buffer);
    }

    // The address of zeros, for any type.
    allocate(bytes) {
        const address = bytes <= 0x7fffffff ? this.exports.malloc(Math.max(bytes, 8)) >>> 0 : 0;
        if (address === 0) throw new LanecullError('out-of-memory', `there is no memory for ${bytes} bytes`);
        this.u8.fill(0, address, address + bytes);
        return address;
    }

    release(address) {
        this.exports.free(address);
    }

    #function(name) {
        const found = this.exports[`lanecull_${name}`];
        if (found === undefined) throw new LanecullError('unsupported', `${name}: this module is without it`);
        return found;
    }

    // Calls a function that returns a number of bytes.
    count(name, ...given) {
        return this.#function(name)(...given) >>> 0;
    }

    // Calls a function that returns a status, which it writes where its first argument says; throws what it came to.
    call(name, ...given) {
        const { exports, status, message } = this;
        this.#function(name)(status, ...given);
        const code = this.u32[status / 4];
        if (code === 0) return;
        exports.lanecull_explain(status, message, layouts.message.bytes);
        const end = this.u8.indexOf(0, message);
        throw new LanecullError(codes[code], new TextDecoder().decode(this.u8.slice(message, end)));
    }
}

const places = new Map();

// Type, offset and length of a struct's field, which may be in a struct in it: 'shapes.boxes.count'.
function placeOf(name, path) {
    const key = `${name}.${path}`;
    let place = places.get(key);
    if (place === undefined) {
        place = [name, 0, 1];
        for (const field of path.split('.')) {
            const [type, offset, length] = layouts[place[0]].fields[field];
            place = [type, place[1] + offset, length];
        }
        places.set(key, place);
    }
    return place;
}

// A struct of the C interface, all zeros at first.
export class Struct {
    constructor(memory, name, address) {
        this.memory = memory;
        this.name = name;
        this.address = address;
        this.clear();
    }

    clear() {
        this.memory.u8.fill(0, this.address, this.address + layouts[this.name].bytes);
    }

    set(field, value) {
        const [type, offset] = placeOf(this.name, field);
        const array = this.memory[type];
        array[(this.address + offset) / array.BYTES_PER_ELEMENT] = value;
    }

    setArray(field, values) {
        const [type, offset, length] = placeOf(this.name, field);
        const array = this.memory[type];
        const at = (this.address + offset) / array.BYTES_PER_ELEMENT;
        for (let i = 0; i < length; ++i) array[at + i] = values[i];
    }

    setSpan(field, address, count) {
        this.set(`${field}.items`, address);
        this.set(`${field}.count`, count);
    }

    get(field) {
        return this.getArray(field)[0];
    }

    getArray(field) {
        const [type, offset, length] = placeOf(this.name, field);
        const at = this.address + offset;
        if (type === 'u64') {
            const { u32 } = this.memory;
            return Array.from({ length }, (_, i) => u32[at / 4 + 2 * i] + u32[at / 4 + 2 * i + 1] * 2 ** 32);
        }
        const array = this.memory[type], first = at / array.BYTES_PER_ELEMENT;
        return Array.from(array.subarray(first, first + length));
    }
}

// Something that has memory of the module until destroy().
export class Owner {
    #owned = [];

    constructor(memory, name) {
        this.memory = memory;
        this.name = name;
    }

    allocate(bytes) {
        try {
            const address = this.memory.allocate(bytes);
            this.#owned.push(() => this.memory.release(address));
            return address;
        } catch (error) {
            this.destroy();
            throw error;
        }
    }

    struct(name) {
        return new Struct(this.memory, name, this.allocate(layouts[name].bytes));
    }

    // The address of `length` numbers, and a function that gives them as an array of where memory is now.
    array(type, length) {
        const bytes = arrayTypes[type].BYTES_PER_ELEMENT;
        const address = this.allocate(bytes * length);
        let view = null;
        const current = () => {
            this.checkAlive();
            if (view === null || view.buffer !== this.memory[type].buffer) {
                view = this.memory[type].subarray(address / bytes, address / bytes + length);
            }
            return view;
        };
        return { address, current };
    }

    checkAlive() {
        if (this.#owned === null) refuse(`${this.name}: has been destroyed`);
    }

    // Gives the memory back; the object and its arrays must not be used any more.
    destroy() {
        for (const release of this.#owned ?? []) release();
        this.#owned = null;
    }
}
