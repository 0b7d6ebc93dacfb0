// Numbers from 0 to 1, the same ones for a seed everywhere.
export function makeRandom(seed) {
    let state = seed;
    return () => {
        state = (state + 0x9e3779b9) | 0;
        let z = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
        z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
        return ((z ^ (z >>> 16)) >>> 0) / 4294967296;
    };
}
