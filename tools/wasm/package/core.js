// The core: spheres, boxes and boxes under matrices, for pages that want few bytes. index.d.ts is the manual.

import { Arguments } from './arguments.js';
import * as batches from './batches.js';
import { Cull } from './cull.js';
import { enums, numbers } from './layouts.js';
import { LanecullError, Memory, refuse } from './memory.js';
import { floatAbove, floatBelow } from './rounding.js';
import { Views } from './views.js';

export { LanecullError, floatAbove, floatBelow };

export const webgl = Object.freeze({ depth: 'minus-one-to-one' });
export const webgpu = Object.freeze({ depth: 'zero-to-one' });

export const disabled = enums.object_flag.object_disabled;
export const alwaysVisible = enums.object_flag.object_always_visible;

// What the module asks of its host: an environment, which is empty, and an end, which only a broken module comes to.
function importsOf(memory) {
    const setZero = (count, bytes) => {
        memory.u32[count / 4] = 0;
        memory.u32[bytes / 4] = 0;
        return 0;
    };
    const stop = status => { throw new Error(`the module has stopped with status ${status}`); };
    return {
        env: { emscripten_notify_memory_growth: () => memory.refresh() },
        wasi_snapshot_preview1: { environ_sizes_get: setZero, environ_get: () => 0, proc_exit: stop },
    };
}

async function instantiate(wasm, imports) {
    if (wasm instanceof WebAssembly.Module) return WebAssembly.instantiate(wasm, imports);
    if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) {
        return (await WebAssembly.instantiate(wasm, imports)).instance;
    }
    const url = new URL(wasm, import.meta.url);
    if (url.protocol === 'file:') {
        const { readFile } = await import('node:fs/promises');
        return (await WebAssembly.instantiate(await readFile(url), imports)).instance;
    }
    const answer = await fetch(url);
    if (!answer.ok) refuse(`wasm: ${url} cannot be loaded, status ${answer.status}`);
    return (await WebAssembly.instantiate(await answer.arrayBuffer(), imports)).instance;
}

// The module, its bytes, or where it is, relative to the package.
export async function loadAs(Interface, wasm, memoryBytes = 0) {
    const memory = new Memory();
    const instance = await instantiate(wasm, importsOf(memory));
    memory.start(instance.exports, memoryBytes);
    if (instance.exports.lanecull_library_form() !== numbers.FORM) refuse('wasm: is a module of another form');
    return new Interface(memory);
}

export const load = ({ wasm = new URL('core.wasm', import.meta.url), memoryBytes } = {}) =>
    loadAs(Core, wasm, memoryBytes);

export class Core {
    constructor(memory) {
        this.memory = memory;
        this.args = new Arguments(memory);
    }

    get memoryBytes() {
        return this.memory.u8.length;
    }

    createSpheres(count, options) {
        return batches.createSpheres(this.memory, count, options);
    }
    createBoxes(count, options) {
        return batches.createBoxes(this.memory, count, options);
    }
    createBoxInstances(count, options) {
        return batches.createBoxInstances(this.memory, count, options);
    }

    createViews(count) {
        return new Views(this.memory, this.args, count);
    }
    createCull(batches, views, options) {
        return new Cull(this.memory, batches, views, options);
    }
}
