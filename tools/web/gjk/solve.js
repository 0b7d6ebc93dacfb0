// The library's GJK in WebAssembly (trace.cpp), step by step.

export const kinds = ['ball', 'capsule', 'box', 'polytope', 'ellipsoid', 'cylinder', 'cone'];
export const kindsIn = dimension => kinds.slice(0, dimension === 2 ? 5 : 7);
export const verdicts = ['undecided', 'intersecting', 'separated'];

const numbersOfShape = 7, numbersOfAnswer = 19, numbersOfStep = 31;

export async function load(url) {
    const stop = () => { throw new Error('the module has ended'); };
    const { instance } = await WebAssembly.instantiateStreaming(fetch(url),
        { wasi_snapshot_preview1: { proc_exit: stop } });
    const module = instance.exports;
    module._initialize();
    const numbers = (at, count) => new Float64Array(module.memory.buffer, at, count);

    // Shapes: { kind, center: [x, y, z], turn, tilt, size }. They are moved by `far` along every axis: there floats are
    // coarse. The answer is moved back.
    function write(dimension, shapes, far) {
        const to = numbers(module.input(), 2 * numbersOfShape);
        shapes.forEach(({ kind, center, turn, tilt, size }, i) => {
            const moved = center.map((x, axis) => axis < dimension ? x + far : 0);
            to.set([kinds.indexOf(kind), ...moved, turn, tilt, size], i * numbersOfShape);
        });
    }

    function solve(dimension, shapes, far) {
        write(dimension, shapes, far);
        module.solve(dimension);
        const read = (at, count) => [...numbers(module.output() + 8 * at, count)];
        const back = point => point.map((x, axis) => axis < dimension ? x - far : 0);
        const [verdict, count, distance, lower, upper, margin, band] = read(0, 7);
        const steps = Array.from({ length: count }, (_, k) => {
            const at = numbersOfAnswer + k * numbersOfStep;
            const corners = Array.from({ length: read(at, 1)[0] }, (_, i) => {
                const a = read(at + 7 + 6 * i, 3), b = read(at + 10 + 6 * i, 3);
                return { a: back(a), b: back(b), w: a.map((x, axis) => x - b[axis]) };
            });
            return { corners, direction: read(at + 1, 3), nearest: read(at + 4, 3) };
        });
        return { verdict: verdicts[verdict], distance, lower, upper, margin, band, steps,
                 way: read(7, 3), a: back(read(10, 3)), b: back(read(13, 3)), highest: read(16, 3) };
    }

    // The points farthest along the directions, of shape 0 or 1, or (2) of the difference of their cores.
    function supports(dimension, shapes, far, which, directions) {
        write(dimension, shapes, far);
        return directions.map(([x, y, z]) => {
            module.support(dimension, which, x, y, z);
            const point = [...numbers(module.output(), 3)];
            return which === 2 ? point : point.map((x, axis) => axis < dimension ? x - far : 0);
        });
    }
    return { solve, supports };
}
