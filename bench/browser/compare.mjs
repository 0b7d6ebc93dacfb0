// Culls 100,000 boxes by the package of tools/wasm and by three.js' Frustum, in node (node.mjs) and browsers
// (chromium.mjs). The verdicts are checked against half-spaces in doubles: a box that lies behind a plane with
// something to spare must be culled, and one whose centre lies inside must be kept.

const count = 100000;

// SplitMix-like numbers in [0, 1), the same everywhere.
let state = 1;
function random() {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) / 4294967296;
}

// Boxes of 0.5 to 5 metres in a square kilometre, as six columns.
function makeColumns(to) {
    for (let i = 0; i < count; ++i) {
        for (let axis = 0; axis < 3; ++axis) {
            const middle = (random() - 0.5) * (axis === 1 ? 40 : 1000), half = 0.25 + 2.25 * random();
            to[axis * count + i] = middle - half;
            to[(axis + 3) * count + i] = middle + half;
        }
    }
}

// A camera at the origin that looks along -z and a little down, 60 degrees high, 16 : 9; by columns.
function makeMatrix() {
    const near = 0.1, far = 600, f = 1 / Math.tan(Math.PI / 6), pitch = -0.1;
    const c = Math.cos(pitch), s = Math.sin(pitch);
    const a = (far + near) / (near - far), b = 2 * far * near / (near - far);
    return [f / (16 / 9), 0, 0, 0, 0, f * c, -a * s, s, 0, f * s, a * c, -c, 0, 0, b, 0];
}

// n . p + d > 0 inside; left, right, bottom, top, near, far.
function planesOf(m) {
    const row = k => [m[k], m[4 + k], m[8 + k], m[12 + k]];
    const planes = [];
    for (let axis = 0; axis < 3; ++axis) {
        for (const sign of [1, -1]) planes.push(row(3).map((w, j) => w + sign * row(axis)[j]));
    }
    return planes.map(p => p.map(x => x / Math.hypot(p[0], p[1], p[2])));
}

// How far the box's farthest corner lies inside of its worst plane.
function reach(planes, columns, i, inflated = 1) {
    let least = Infinity;
    for (const [x, y, z, d] of planes) {
        let inside = d;
        [x, y, z].forEach((n, axis) => {
            const low = columns[axis * count + i], high = columns[(axis + 3) * count + i];
            inside += n * (low + high) / 2 + inflated * Math.abs(n) * (high - low) / 2;
        });
        least = Math.min(least, inside);
    }
    return least;
}

// Times ways in turn, `rounds` times each; returns each one's median in nanoseconds.
function medians(ways, rounds, repetitions = 1) {
    const times = new Map(Object.keys(ways).map(name => [name, []]));
    for (let round = -10; round < rounds; ++round) {  // the first ten warm the compilers up
        for (const [name, way] of Object.entries(ways)) {
            const start = performance.now();
            for (let k = 0; k < repetitions; ++k) way();
            if (round >= 0) times.get(name).push((performance.now() - start) * 1e6 / repetitions);
        }
    }
    return name => times.get(name).sort((a, b) => a - b)[times.get(name).length >> 1];
}

// lanecull: what load() gives; webgl: the package's. THREE: npm's package three; null to check the verdicts alone.
// say() gets lines. Returns whether the verdicts are right.
export function compare(lanecull, webgl, THREE, rounds, say) {
    const batch = lanecull.createBoxes(count), views = lanecull.createViews(1);
    const bitsAlone = lanecull.createCull([batch], views, { outputs: ['bits'] });
    const withList = lanecull.createCull([batch], views, { outputs: ['bits', 'indices'] });
    const columns = new Float32Array(6 * count);
    makeColumns(columns);
    ['minX', 'minY', 'minZ', 'maxX', 'maxY', 'maxZ'].forEach((name, k) => {
        batch[name].set(columns.subarray(k * count, (k + 1) * count));
    });
    const matrix = makeMatrix();

    const cullBits = () => {
        views.prepare(0, matrix, webgl);
        return bitsAlone.run().bits();
    };
    const cullList = () => {
        views.prepare(0, matrix, webgl);
        return withList.run().indices();
    };

    function checkVerdicts() {
        const indices = cullList(), bits = withList.bits(), visible = indices.length, planes = planesOf(matrix);
        let wrong = 0, listed = 0;
        for (let i = 0; i < count; ++i) {
            const kept = (bits[i >> 5] >>> (i & 31) & 1) === 1;
            if (kept && indices[listed++] !== i) ++wrong;
            if (kept && reach(planes, columns, i) < -0.01) ++wrong;
            if (!kept && reach(planes, columns, i, 0) > 0.01) ++wrong;
        }
        if (listed !== visible || visible < count / 20 || visible > count / 2) ++wrong;
        say(`${count} boxes, ${visible} visible, ${wrong} wrong`);
        return wrong === 0;
    }

    function compareWithThree() {
        const frustum = new THREE.Frustum();
        const projection = new THREE.Matrix4().fromArray(matrix);
        const boxes = Array.from({ length: count }, (_, i) => new THREE.Box3(
            new THREE.Vector3(columns[i], columns[count + i], columns[2 * count + i]),
            new THREE.Vector3(columns[3 * count + i], columns[4 * count + i], columns[5 * count + i])));
        const threeBits = new Uint32Array(Math.ceil(count / 32)), threeIndices = new Uint32Array(count);
        const ways = {
            'lanecull, bits': cullBits,
            'three.js, bits': () => {
                frustum.setFromProjectionMatrix(projection);
                threeBits.fill(0);
                for (let i = 0; i < count; ++i) {
                    if (frustum.intersectsBox(boxes[i])) threeBits[i >> 5] |= 1 << (i & 31);
                }
            },
            'lanecull, indices': cullList,
            'three.js, indices': () => {
                frustum.setFromProjectionMatrix(projection);
                let listed = 0;
                for (let i = 0; i < count; ++i) {
                    if (frustum.intersectsBox(boxes[i])) threeIndices[listed++] = i;
                }
                return listed;
            },
        };
        const median = medians(ways, rounds);
        say(`three.js revision ${THREE.REVISION}, nanoseconds a box:`);
        for (const name of Object.keys(ways)) say(`  ${name.padEnd(18)} ${(median(name) / count).toFixed(2)}`);
        for (const output of ['bits', 'indices']) {
            const times = median(`three.js, ${output}`) / median(`lanecull, ${output}`);
            say(`  ${output}: lanecull is ${times.toFixed(1)} times as fast`);
        }
        const gone = ways['three.js, indices']();
        say(`  three.js keeps ${gone} boxes`);
    }

    // What a call costs beside the objects.
    function timeCalls() {
        const one = lanecull.createCull([lanecull.createSpheres(1)], views);
        const ways = {
            'run() and indices() of one sphere': () => one.run().indices(),
            'prepare() of a view': () => views.prepare(0, matrix, webgl),
        };
        const median = medians(ways, rounds, 1000);
        for (const name of Object.keys(ways)) say(`  ${name}: ${(median(name) / 1000).toFixed(2)} microseconds`);
    }

    const right = checkVerdicts();
    timeCalls();
    if (right && THREE !== null) compareWithThree();
    return right;
}
