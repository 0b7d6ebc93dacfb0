// Boxes that may hide others, of which Occluders.choose() takes the best.

import { Owner, checkCount, checkNumbers, refuse } from './memory.js';
import { floatAbove, floatBelow } from './rounding.js';

export class Solids extends Owner {
    #boxes;
    #candidates;

    constructor(memory, count) {
        super(memory, 'solids');
        this.count = checkCount(count, 0xfffffffe, 'count');
        const words = 2 * Math.ceil(count / 64);
        this.#boxes = this.array('f32', 6 * count);
        this.#candidates = this.array('u32', words);
        this.candidates.fill(0xffffffff);
        this.set = this.struct('solid_set');
        this.set.setSpan('boxes', this.#boxes.address, count);
        this.options = this.struct('choose_options');
        this.options.setSpan('candidates', this.#candidates.address, words / 2);
        this.scratchBytes = memory.count('choose_scratch_bytes', count);
        this.scratch = this.allocate(this.scratchBytes);
        this.numbers = this.array('u32', 65);  // those chosen, and how many they are
    }

    get candidates() {
        return this.#candidates.current();
    }

    setBoxAt(i, min, max) {
        if (checkCount(i, 0xffffffff, 'i') >= this.count) refuse(`i: ${i} is not below ${this.count}`);
        const boxes = this.#boxes.current();
        checkNumbers(min, 3, 'min').forEach((x, k) => { boxes[6 * i + k] = floatAbove(x); });
        checkNumbers(max, 3, 'max').forEach((x, k) => { boxes[6 * i + 3 + k] = floatBelow(x); });
    }
}
