// The memory of the module, structs of the C interface in it, and calls of that interface.

import { layouts } from './layouts.js';

const codes = ['ok', 'invalid-argument', 'not-ready', 'out-of-memory', 'unsupported', 'system-error', 'bad-file'];

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
        this.message = this.allocate(layouts.message.bytes);
        this.result = this.allocate(8);
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

    // Throws what a call that takes `this.message` came to.
    check(status) {
        if (status === 0) return;
        const end = this.u8.indexOf(0, this.message);
        throw new LanecullError(codes[status], new TextDecoder().decode(this.u8.slice(this.message, end)));
    }

    // Calls a function whose last parameter is the message.
    call(name, ...given) {
        this.check(this.exports[`lanecull_${name}`](...given, this.message));
    }

    // Calls create_NAME(...given, &created).
    create(name, ...given) {
        this.call(`create_${name}`, ...given, this.result);
        return this.u32[this.result >>> 2];
    }
}

// A struct of the C interface, all zeros but for its size.
export class Struct {
    constructor(memory, name, address) {
        this.memory = memory;
        this.layout = layouts[name];
        this.address = address;
        this.clear();
    }

    clear() {
        const { bytes, fields } = this.layout;
        this.memory.u8.fill(0, this.address, this.address + bytes);
        if (fields.size !== undefined) this.set('size', bytes);
    }

    set(field, value) {
        const [type, offset] = this.layout.fields[field];
        const array = this.memory[type];
        array[(this.address + offset) / array.BYTES_PER_ELEMENT] = value;
    }

    setArray(field, values) {
        const [type, offset, length] = this.layout.fields[field];
        const array = this.memory[type];
        const at = (this.address + offset) / array.BYTES_PER_ELEMENT;
        for (let i = 0; i < length; ++i) array[at + i] = values[i];
    }

    get(field) {
        const [type, offset] = this.layout.fields[field];
        const at = this.address + offset;
        if (type === 'u64') return this.memory.u32[at / 4] + this.memory.u32[at / 4 + 1] * 2 ** 32;
        const array = this.memory[type];
        return array[at / array.BYTES_PER_ELEMENT];
    }

    getArray(field) {
        const [type, offset, length] = this.layout.fields[field];
        const array = this.memory[type];
        const at = (this.address + offset) / array.BYTES_PER_ELEMENT;
        return Array.from(array.subarray(at, at + length));
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

    // An opaque object of the C interface.
    create(name, ...given) {
        const address = this.memory.create(name, ...given);
        this.#owned.push(() => this.memory.exports[`lanecull_destroy_${name}`](address));
        return address;
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
