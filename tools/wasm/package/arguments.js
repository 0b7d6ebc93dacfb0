// What views, viewpoints and maps are made of, written where the C interface reads it. One call at a time uses it.

import { Owner, checkNumbers, numberOf, refuse, wordsOf } from './memory.js';
import { layouts } from './layouts.js';

const depths = wordsOf('depth_range');
const matrixLayouts = wordsOf('matrix_layout');
const mostPlanes = 32;  // of a polytope; views take fewer, and say so
const mostSides = 8;

// 32 bits, as a whole number; negative as JavaScript's own operations on bits make it.
export function checkBits(value, name) {
    if (!Number.isInteger(value) || value < -(2 ** 31) || value >= 2 ** 32) {
        refuse(`${name}: must be a whole number of 32 bits, not ${String(value)}`);
    }
    return value;
}

// Room for rows of planes.
class Planes {
    constructor(owner, most) {
        this.memory = owner.memory;
        this.most = most;
        this.address = owner.allocate(most * layouts.plane.bytes);
    }

    // planes: arrays of four numbers, a normal and an offset. Returns how many there are.
    write(planes, name) {
        if (!Array.isArray(planes) || planes.length > this.most) {
            refuse(`${name}: must be an array of at most ${this.most} planes`);
        }
        planes.forEach((plane, k) => {
            checkNumbers(plane, 4, `${name}[${k}]`);
            for (let i = 0; i < 4; ++i) this.memory.f64[this.address / 8 + 4 * k + i] = plane[i];
        });
        return planes.length;
    }
}

export class Arguments extends Owner {
    constructor(memory) {
        super(memory, 'arguments');
        this.numbers = this.allocate(8 * 32);
        this.clipSpace = this.struct('clip_space');
        this.options = this.struct('view_options');
        this.directionalLight = this.struct('directional_light');
        this.pointLight = this.struct('point_light');
        this.planes = new Planes(this, mostPlanes);
        this.clipPlanes = new Planes(this, mostPlanes);
        this.sides = new Planes(this, mostSides);
        this.eye = this.allocate(8 * 3);
    }

    // Doubles at `this.numbers`, or after `before` others. Returns their address.
    writeNumbers(values, length, name, before = 0) {
        checkNumbers(values, length, name);
        const at = this.numbers / 8 + before;
        for (let i = 0; i < length; ++i) this.memory.f64[at + i] = values[i];
        return 8 * at;
    }

    writeClipSpace(given) {
        if (typeof given !== 'object' || given === null) refuse('clipSpace: must be given, such as webgl or webgpu');
        const { depth, layout = 'column-major', origin = [0, 0, 0] } = given;
        this.clipSpace.set('depth', numberOf(depth, depths, 'clipSpace.depth'));
        this.clipSpace.set('layout', numberOf(layout, matrixLayouts, 'clipSpace.layout'));
        this.clipSpace.setArray('origin', checkNumbers(origin, 3, 'clipSpace.origin'));
        return this.clipSpace.address;
    }

    writeOptions({ clipPlanes, margin = 0, layerMask, eye, sizeScale = 0, directionalLight, pointLight } = {}) {
        const { options, memory } = this;
        options.clear();
        options.set('margin', margin);
        options.set('size_scale', sizeScale);
        if (clipPlanes !== undefined) {
            const count = this.clipPlanes.write(clipPlanes, 'options.clipPlanes');
            options.setSpan('clip_planes', this.clipPlanes.address, count);
        }
        if (layerMask !== undefined) options.set('hidden_layers', ~checkBits(layerMask, 'options.layerMask'));
        if (eye !== undefined) {
            memory.f64.set(checkNumbers(eye, 3, 'options.eye'), this.eye / 8);
            options.set('eye', this.eye);
        }
        if (directionalLight !== undefined) {
            options.set('directional_light', this.#writeDirectionalLight(directionalLight));
        }
        if (pointLight !== undefined) options.set('point_light', this.#writePointLight(pointLight));
        return options.address;
    }

    #writeDirectionalLight({ toward, reach = 0 }) {
        this.directionalLight.setArray('toward', checkNumbers(toward, 3, 'options.directionalLight.toward'));
        this.directionalLight.set('reach', reach);
        return this.directionalLight.address;
    }

    #writePointLight({ at, range = 0, sides = [] }) {
        this.pointLight.setArray('at', checkNumbers(at, 3, 'options.pointLight.at'));
        this.pointLight.set('range', range);
        this.pointLight.setSpan('sides', this.sides.address, this.sides.write(sides, 'options.pointLight.sides'));
        return this.pointLight.address;
    }
}
