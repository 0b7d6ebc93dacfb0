// The core's own rules: core.mjs PACKAGE
// Its verdicts are those of the larger module, within rounding; what touches a view is never culled.
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2]);
const importOf = name => import(pathToFileURL(join(folder, name)));
const { load, webgl, LanecullError } = await importOf('core.js');
const large = await importOf('index.js');

let state = 1;
function random() {  // like SplitMix, in [0, 1)
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) / 4294967296;
}
const within = (low, high) => low + (high - low) * random();

// From the origin along -z and a little down, 60 degrees high, from 0.5 to 200; and a box that is as wide everywhere.
function makeViews() {
    const c = Math.cos(0.1), s = Math.sin(0.1), f = 1 / Math.tan(Math.PI / 6), a = -200.5 / 199.5, b = -200 / 199.5;
    return {
        perspective: [f / 1.6, 0, 0, 0, 0, f * c, a * s, -s, 0, -f * s, a * c, -c, 0, 0, b, 0],
        orthographic: [1 / 90, 0, 0, 0, 0, c / 60, s / 70, 0, 0, -s / 60, c / 70, 0, 0.1, 0.2, 0.3, 1],
    };
}

// n . p + d >= 0 inside, |n| = 1, in doubles.
function planesOf(m) {
    const row = k => [m[k], m[4 + k], m[8 + k], m[12 + k]];
    const planes = [0, 1, 2].flatMap(k => [1, -1].map(sign => row(3).map((w, j) => w + sign * row(k)[j])));
    return planes.map(plane => plane.map(x => x / Math.hypot(...plane.slice(0, 3))));
}
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const at = (plane, p) => dot(plane, p) + plane[3];

// The rows of a random turn.
function turn() {
    const q = Array.from({ length: 4 }, () => within(-1, 1)), size = Math.hypot(...q);
    const [x, y, z, w] = q.map(component => component / size);
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
}

// An object of each kind: its place, its half-axes, and the radius of a ball.
const makers = {
    spheres: () => ({ axes: [], radius: Math.fround(within(0.1, 5)) }),
    boxes: () => ({
        axes: [0, 1, 2].map(k => [0, 1, 2].map(j => (j === k ? Math.fround(within(0.1, 5)) : 0))), radius: 0,
    }),
    instances: () => {
        const rows = turn(), half = [0, 1, 2].map(() => Math.fround(within(0.1, 5)));
        return { half, axes: [0, 1, 2].map(k => rows.map(row => Math.fround(row[k]))), radius: 0 };
    },
};
const axis = Array.from('xyz');
const Axis = Array.from('XYZ');

function createBatch(lanecull, kind, objects, options) {
    if (kind === 'spheres') {
        const batch = lanecull.createSpheres(objects.length, options);
        objects.forEach(({ place, radius }, i) => {
            axis.forEach((name, k) => { batch[name][i] = place[k]; });
            batch.radius[i] = radius;
        });
        return batch;
    }
    if (kind === 'boxes') {
        const batch = lanecull.createBoxes(objects.length, options);
        objects.forEach(({ place, axes }, i) => Axis.forEach((name, k) => {
            batch[`min${name}`][i] = place[k] - axes[k][k];
            batch[`max${name}`][i] = place[k] + axes[k][k];
        }));
        return batch;
    }
    const batch = lanecull.createBoxInstances(objects.length, { ...options, transforms: 'columns-4x4' });
    objects.forEach(({ place, axes, half }, i) => {
        batch.transforms.set([...axes[0], 0, ...axes[1], 0, ...axes[2], 0, ...place, 1], 16 * i);
        Axis.forEach((name, k) => {
            batch[`min${name}`][i] = -half[k];
            batch[`max${name}`][i] = half[k];
        });
    });
    return batch;
}

// The object's farthest point along n, from its centre: exact but for doubles' rounding, of what batches hold.
function reach(kind, { axes, half, radius }, n) {
    return axes.reduce((sum, one, k) => sum + Math.abs(dot(one, n)) * (half?.[k] ?? 1), radius);
}
// The centre as the batch holds it.
function placeOf(kind, batch, i) {
    if (kind === 'spheres') return axis.map(name => batch[name][i]);
    if (kind === 'boxes') return Axis.map(name => (batch[`min${name}`][i] + batch[`max${name}`][i]) / 2);
    return [...batch.transforms.subarray(16 * i + 12, 16 * i + 15)];
}
function sizesOf(kind, batch, i, object) {
    if (kind !== 'boxes') return object;
    const half = Axis.map(name => (batch[`max${name}`][i] - batch[`min${name}`][i]) / 2);
    return { ...object, axes: half.map((h, k) => [0, 1, 2].map(j => (j === k ? h : 0))) };
}

const bitOf = (bits, i) => (bits[i >> 5] >>> (i & 31) & 1) === 1;

function run(lanecull, kind, objects, matrix, viewOptions, batchOptions, fill = () => {}) {
    const batch = createBatch(lanecull, kind, objects, batchOptions), views = lanecull.createViews(1);
    fill(batch);
    views.prepare(0, matrix, webgl, viewOptions);
    const outputs = ['bits', 'inside', 'indices'];
    const cull = lanecull.createCull([batch], views, { outputs, order: 'front-to-back' }).run();
    return { batch, bits: cull.bits().slice(), inside: cull.inside().slice(), list: cull.indices().slice() };
}

const scattered = (kind, count) => Array.from({ length: count }, () => ({
    place: [within(-150, 150), within(-90, 90), within(-250, 50)].map(Math.fround), ...makers[kind](),
}));

for (const kind of Object.keys(makers)) {
    for (const [name, matrix] of Object.entries(makeViews())) {
        test(`${kind}, ${name}: the larger module's verdicts, lists and order`, async () => {
            const core = await load(), whole = await large.load();
            const ways = [
                [undefined, undefined],
                [{ margin: 3 }, undefined],
                [{ clipPlanes: [[0.6, 0, 0.8, 60]] }, undefined],
                [{ eye: [1, 2, 3], sizeScale: 1 }, {
                    attributes: ['flags', 'layers', 'margin', 'sweepX', 'sweepY', 'sweepZ', 'maxDistance',
                                 'minDistance', 'minProjectedSize'],
                }],
            ];
            for (const [viewOptions, batchOptions] of ways) {
                const objects = scattered(kind, 20001);  // no multiple of a word
                const fill = batch => {
                    state = 7;
                    for (let i = 0; batchOptions !== undefined && i < objects.length; ++i) {
                        batch.flags[i] = random() < 0.1 ? 1 + (i & 1) : 0;
                        batch.margin[i] = within(-0.1, 3);
                        for (const way of ['sweepX', 'sweepY', 'sweepZ']) batch[way][i] = within(-9, 9);
                        batch.maxDistance[i] = within(50, 400);
                        batch.minDistance[i] = within(0, 40);
                        batch.minProjectedSize[i] = within(0, 0.05);
                    }
                };
                const [mine, theirs] = [core, whole].map(one =>
                    run(one, kind, objects, matrix, viewOptions, batchOptions, fill));
                // Bounds of the core are no smaller: it may keep what others cull that all but touch the view.
                const all = [...objects.keys()];
                const differing = what => all.filter(i => bitOf(mine[what], i) !== bitOf(theirs[what], i));
                const kept = differing('bits'), inside = differing('inside');
                assert.ok(kept.length <= 2 && kept.every(i => bitOf(mine.bits, i)), `${kept}`);
                assert.ok(inside.length <= 2 && inside.every(i => bitOf(theirs.inside, i)), `${inside}`);
                assert.deepEqual([...mine.list].filter(i => !kept.includes(i)), [...theirs.list]);
                assert.ok(mine.list.length > objects.length / 50 && mine.list.length < objects.length / 2);
            }
        });

        test(`${kind}, ${name}: what touches a plane is kept, what is well apart is culled`, async () => {
            const core = await load(), planes = planesOf(matrix), objects = [];
            while (objects.length < 20000) {
                const plane = planes[Math.floor(6 * random())], one = makers[kind]();
                const p = [within(-150, 150), within(-90, 90), within(-250, 50)];
                const foot = p.map((x, k) => x - plane[k] * at(plane, p));
                // Of the facet, far from its edges.
                if (planes.some(other => other !== plane && at(other, foot) < 20)) continue;
                const away = reach(kind, one, plane) + within(-1, 1) * 10 ** within(-7, -1);
                objects.push({ plane, ...one, place: foot.map((x, k) => Math.fround(x - plane[k] * away)) });
            }
            // With margins, which are zeros, no object is decided by stage 1.
            for (const options of [undefined, { attributes: ['margin'] }]) {
                const { batch, bits } = run(core, kind, objects, matrix, undefined, options);
                let touching = 0, apart = 0;
                objects.forEach((object, i) => {
                    const inward = at(object.plane, placeOf(kind, batch, i)) +
                                   reach(kind, sizesOf(kind, batch, i, object), object.plane);
                    if (inward > 1e-11) {
                        ++touching;
                        assert.ok(bitOf(bits, i), `object ${i} reaches ${inward} into the view`);
                    }
                    if (inward < -1e-2) {
                        ++apart;
                        assert.ok(!bitOf(bits, i), `object ${i} is ${-inward} apart`);
                    }
                });
                assert.ok(touching > 5000 && apart > 500, `${touching} ${apart}`);
            }
        });
    }
}

test('objects that are no shapes are kept', async () => {
    const core = await load(), matrix = makeViews().perspective;
    for (const kind of Object.keys(makers)) {
        const objects = scattered(kind, 200);
        const names = { spheres: ['x', 'radius'], boxes: ['minX', 'maxZ'], instances: ['transforms', 'minY'] }[kind];
        for (const name of names) {
            for (const bad of [NaN, Infinity, -Infinity]) {
                const { bits } = run(core, kind, objects, matrix, undefined, undefined, batch => {
                    for (let i = 0; i < 200; i += 7) batch[name][name === 'transforms' ? 16 * i + 12 : i] = bad;
                });
                for (let i = 0; i < 200; i += 7) {
                    assert.ok(bitOf(bits, i), `${kind} ${name} ${bad} ${i}`);
                }
            }
        }
    }
});

test('what the core is without is refused', async () => {
    const core = await load(), views = core.createViews(1), { perspective } = makeViews();
    const isRefusal = error => error instanceof LanecullError && error.code === 'unsupported';
    const refused = call => assert.throws(call, isRefusal);
    refused(() => views.prepare(0, perspective, webgl, { pointLight: { at: [0, 0, 0] } }));
    refused(() => views.prepare(0, perspective, webgl, { directionalLight: { toward: [0, -1, 0] } }));
    refused(() => views.prepareFromBall(0, [0, 0, 0], 1));
    refused(() => views.prepareFromCorners(0, new Array(24).fill(0)));
    const lanecull = await large.load({ wasm: 'core.wasm' }), others = lanecull.createViews(1);
    others.prepare(0, perspective, webgl);
    refused(() => lanecull.createCull([lanecull.createCapsules(1)], others).run());
    refused(() => lanecull.createOccluders(1).setViewpoint(perspective, webgl));
});
