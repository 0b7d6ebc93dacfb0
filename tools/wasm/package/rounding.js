// Numbers of JavaScript are doubles. What is assigned to a Float32Array becomes the nearest float, on either side; what
// has to be on one of them goes through these.

import { checkNumbers, refuse } from './memory.js';

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

// The largest float that is not above x. Neighbouring floats have neighbouring bits, and -0 those before -2^-149.
export function floatBelow(x) {
    float[0] = x;
    if (float[0] > x) bits[0] += float[0] > 0 ? -1 : 1;
    return float[0];
}

// The smallest float that is not below x.
export const floatAbove = x => -floatBelow(-x);

// As checkNumbers(), and they are floats as they are. why: what the caller has to see to.
export function checkFloats(numbers, length, name, why) {
    for (const number of checkNumbers(numbers, length, name)) {
        if (!Object.is(Math.fround(number), number)) refuse(`${name}: must be numbers of float32, ${why}`);
    }
    return numbers;
}

// Writes corners into a box, each number through one of the functions above.
export function writeBox(box, { min, max }, roundMin, roundMax, name = '') {
    box.setArray('min', Array.from(checkNumbers(min, 3, `${name}min`), x => roundMin(x)));
    box.setArray('max', Array.from(checkNumbers(max, 3, `${name}max`), x => roundMax(x)));
}
