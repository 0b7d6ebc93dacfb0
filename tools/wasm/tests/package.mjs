// The package's own rules: package.mjs PACKAGE
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2]);
const { load, webgl, webgpu, disabled, alwaysVisible, floatAbove, floatBelow, LanecullError } =
    await import(pathToFileURL(join(folder, 'index.js')));

// 90 degrees, looking along -z, from 0.1 on.
const camera = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0];

async function withCamera(options) {
    const lanecull = await load(options);
    const views = lanecull.createViews(1);
    views.prepare(0, camera, webgl);
    return { lanecull, views };
}

// Unit balls along the x axis at depth 5, `step` apart, from x = 0 on: those below x = 6 are seen.
function ballsInARow(lanecull, count, step, options) {
    const balls = lanecull.createSpheres(count, options);
    balls.z.fill(-5);
    balls.radius.fill(1);
    for (let i = 0; i < count; ++i) balls.x[i] = step * i;
    return balls;
}

// The call is refused with that code, and a sentence that matches.
function refused(call, code, sentence) {
    assert.throws(call, error => {
        assert.ok(error instanceof LanecullError, String(error));
        assert.equal(error.code, code);
        assert.match(error.message, sentence);
        return true;
    });
}

test("the README's example prints what it says", () => {
    const [, code] = /```js\n([^]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8'));
    const file = join(folder, 'readme_example.mjs');
    writeFileSync(file, code.replace("'lanecull'", "'./index.js'"));
    try {
        const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
        assert.equal(printed.trim(), /\/\/ (Uint32Array.*)$/m.exec(code)[1].replace('Array ', 'Array(1) '));
    } finally {
        rmSync(file);
    }
});

test('bits, indices, inside and statistics agree', async () => {
    const { lanecull, views } = await withCamera();
    const balls = ballsInARow(lanecull, 1000, 0.01);
    const cull = lanecull.createCull([balls], views, { outputs: ['bits', 'indices', 'inside', 'statistics'] }).run();
    const bit = (bits, i) => bits[i >> 5] >>> (i & 31) & 1;
    const expected = [...balls.x.keys()].filter(i => bit(cull.bits(), i));
    assert.deepEqual([...cull.indices()], expected);
    assert.equal(cull.visibleCount(), expected.length);
    // A ball reaches the plane x = 5 at x = 5 + sqrt(2), and is inside of it below 5 - sqrt(2).
    assert.equal(expected.length, 642);
    assert.equal([...balls.x.keys()].filter(i => bit(cull.inside(), i)).length, 359);
    const { objects, culledPlane, culledGjk, visibleInside } = cull.statistics();
    assert.equal(objects, 1000);
    assert.equal(culledPlane + culledGjk, 358);
    assert.ok(visibleInside > 0);
});

test('several batches: each has its own indices and words, whatever its count', async () => {
    const { lanecull, views } = await withCamera();
    const first = ballsInARow(lanecull, 100, 0.1), second = ballsInARow(lanecull, 70, 1);
    const cull = lanecull.createCull([first, second], views, { outputs: ['bits', 'indices'] });
    const seen = () => [cull.visibleCount(0, 0), cull.visibleCount(0, 1), cull.visibleCount(),
                        cull.indices(0, 1).length, cull.indices().length, cull.bits(0, 1)[0]];
    cull.run();
    assert.deepEqual(seen(), [65, 7, 72, 7, 72, 0x7f]);
    first.count = 10;
    second.count = 3;
    cull.run();
    assert.deepEqual(seen(), [10, 3, 13, 3, 13, 7]);
    first.count = 100;
    cull.run();
    assert.deepEqual(seen(), [65, 3, 68, 3, 68, 7]);
    // Results are those of the run, whatever has changed since.
    first.count = 1;
    assert.deepEqual(seen(), [65, 3, 68, 3, 68, 7]);
    first.count = 100;
    // Created while there were few of them.
    const later = lanecull.createCull([first, second], views);
    second.count = 70;
    assert.equal(later.run().visibleCount(), 72);
    first.count = 0;
    second.count = 0;
    assert.equal(later.run().visibleCount(), 0);
    assert.equal(later.indices().length, 0);
});

test('lists in the order of depth, batch by batch', async () => {
    const { lanecull, views } = await withCamera();
    const balls = [lanecull.createSpheres(100), lanecull.createSpheres(3)];
    for (const batch of balls) {
        batch.radius.fill(1);
        for (let i = 0; i < batch.count; ++i) batch.z[i] = -5 - i * 37 % 100;
    }
    const listed = order => {
        const cull = lanecull.createCull(balls, views, { order }).run();
        return [0, 1].map(batch => [...cull.indices(0, batch)]);
    };
    const sorted = sign => balls.map(({ count, z }) => [...Array(count).keys()].sort((a, b) => sign * (z[b] - z[a])));
    assert.deepEqual(listed('front-to-back'), sorted(1));
    assert.deepEqual(listed('back-to-front'), sorted(-1));
    assert.deepEqual(listed('ascending'), balls.map(({ count }) => [...Array(count).keys()]));
    refused(() => listed('sideways'), 'invalid-argument', /^order: must be one of ascending, front-to-back/);
});

test('64 views in one call, and a part of them', async () => {
    const lanecull = await load();
    const views = lanecull.createViews(64);
    const balls = ballsInARow(lanecull, 200, 0.1);
    for (let v = 0; v < 64; ++v) {
        views.prepare(v, camera, { ...webgl, origin: [v, 0, 0] });
        assert.ok(views.isPrepared(v) && views.isExact(v) && !views.seesNothing(v));
    }
    const cull = lanecull.createCull([balls], views, { outputs: ['indices', 'bits', 'inside', 'statistics'] }).run();
    for (let v = 0; v < 64; ++v) {
        const expected = [...balls.x.keys()].filter(i => Math.abs(0.1 * i - v) < 5 + Math.SQRT2);
        assert.deepEqual([...cull.indices(v)], expected);
    }
    const some = lanecull.createCull([balls], views, { firstView: 3, viewCount: 2 }).run();
    assert.deepEqual([...some.indices(1)], [...cull.indices(4)]);
    const more = lanecull.createViews(65);
    refused(() => lanecull.createCull([balls], more), 'invalid-argument', /^viewCount: .* 0 to 64, not 65/);
});

test('boxes, and boxes under matrices', async () => {
    const { lanecull, views } = await withCamera();
    const boxes = lanecull.createBoxes(2);
    const own = lanecull.createBoxInstances(2, { transforms: 'columns-4x4' });
    const shared = lanecull.createBoxInstances(2, { boxes: 1, transforms: 'rows-3x4' });
    for (const [batch, count] of [[boxes, 2], [own, 2], [shared, 1]]) {
        for (const axis of ['X', 'Y', 'Z']) {
            batch[`min${axis}`].fill(-1, 0, count);
            batch[`max${axis}`].fill(1, 0, count);
        }
    }
    // The first in view, the second beside it.
    boxes.minZ.fill(-6);
    boxes.maxZ.fill(-4);
    boxes.minX[1] += 8;
    boxes.maxX[1] += 8;
    own.transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -5, 1]);
    own.transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 8, 0, -5, 1], 16);
    shared.transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -5, 1, 0, 0, 8, 0, 1, 0, 0, 0, 0, 1, -5]);
    const cull = lanecull.createCull([boxes, own, shared], views).run();
    for (const batch of [0, 1, 2]) assert.deepEqual([...cull.indices(0, batch)], [0]);
    own.count = 1;
    assert.equal(cull.run().visibleCount(0, 1), 1);
    shared.boxIndex[1] = 7;  // there is none: invalid objects stay visible
    assert.deepEqual([...cull.run().indices(0, 2)], [0, 1]);
});

test('attributes, layers and margins', async () => {
    const { lanecull, views } = await withCamera();
    const balls = ballsInARow(lanecull, 4, 5, { attributes: ['flags', 'layers', 'margin', 'maxDistance'] });
    const cull = lanecull.createCull([balls], views);
    assert.deepEqual([...cull.run().indices()], [0, 1]);
    balls.margin[2] = 5;
    assert.deepEqual([...cull.run().indices()], [0, 1, 2]);
    balls.layers[0] = 2;
    balls.flags.set([0, disabled, 0, alwaysVisible]);
    views.prepare(0, camera, webgl, { layerMask: 1 });
    assert.deepEqual([...cull.run().indices()], [2, 3]);
    balls.margin[2] = 0;
    views.prepare(0, camera, webgl, { margin: 5 });
    assert.deepEqual([...cull.run().indices()], [0, 2, 3]);
    balls.maxDistance[0] = 2;
    views.prepare(0, camera, webgl);
    assert.deepEqual([...cull.run().indices()], [3]);
    balls.maxDistance[0] = 5;
    assert.deepEqual([...cull.run().indices()], [0, 3]);
    views.prepare(0, camera, webgl, { clipPlanes: [[0, 0, -1, -100]] });
    assert.deepEqual([...cull.run().indices()], [3]);
});

test('casters of a directional light and of a point light', async () => {
    const { lanecull, views } = await withCamera();
    const balls = lanecull.createSpheres(3);
    balls.radius.fill(1);
    balls.y.set([0, 50, -50]);  // in view, above and below it
    balls.z.fill(-10);
    const cull = lanecull.createCull([balls], views);
    assert.deepEqual([...cull.run().indices()], [0]);
    views.prepare(0, camera, webgl, { directionalLight: { toward: [0, 1, 0] } });
    assert.deepEqual([...cull.run().indices()], [0, 1]);
    views.prepare(0, camera, webgl, { directionalLight: { toward: [0, 1, 0], reach: 20 } });
    assert.deepEqual([...cull.run().indices()], [0]);
    views.prepare(0, camera, webgl, { pointLight: { at: [0, -60, -10] } });
    assert.deepEqual([...cull.run().indices()], [0, 2]);
});

test('occluders hide what stands behind them, and name their owners', async () => {
    const { lanecull, views } = await withCamera();
    const boxes = lanecull.createBoxes(3, { attributes: ['flags'] });
    // A wall, a box behind it, and one behind it that looks over it.
    boxes.minX.set([-3, -1, -1]), boxes.maxX.set([3, 1, 1]);
    boxes.minY.set([-3, -1, -1]), boxes.maxY.set([3, 1, 9]);
    boxes.minZ.set([-6, -12, -12]), boxes.maxZ.set([-5, -10, -10]);
    const occluders = lanecull.createOccluders(2);
    const cull = lanecull.createCull([boxes], views, { outputs: ['indices', 'statistics'] });
    const wall = [[-3, -3, -6], [3, 3, -5], { owner: { batch: 0, object: 0 } }];
    assert.equal(occluders.addBox(...wall), 'no-viewpoint');
    occluders.setViewpoint(camera, webgl);
    assert.equal(occluders.addBox([-1, -1, -1], [1, 1, 1]), 'encloses-eye');
    assert.equal(occluders.count, 0);
    assert.equal(occluders.addBox(...wall), null);
    assert.equal(occluders.count, 1);
    assert.deepEqual([...cull.run().indices()], [0, 1, 2]);
    cull.setOccluders(0, occluders);
    assert.deepEqual([...cull.run().indices()], [0, 2]);
    assert.equal(cull.statistics().culledOccluded, 1);
    // What does not draw its wall hides nothing.
    boxes.flags[0] = disabled;
    assert.deepEqual([...cull.run().indices()], [1, 2]);
    occluders.setViewpointFromEyes([0, 0, 0], 0.2);
    assert.equal(occluders.count, 0);
    assert.equal(occluders.addOrientedBox([0, 0, -5.5], [3, 3, 0.5], [1, 0, 0, 0, 1, 0, 0, 0, 1]), null);
    assert.deepEqual([...cull.run().indices()], [2]);
    occluders.setViewpointAlong([0, 0, -1], [0, 0, -5]);
    assert.equal(occluders.addBox([-3, -3, -6], [3, 3, -5]), null);
    assert.deepEqual([...cull.run().indices()], [2]);
    occluders.setViewpoint(camera, webgl);
    const planes = [[1, 0, 0, 3], [-1, 0, 0, 3], [0, 1, 0, 3], [0, -1, 0, 3], [0, 0, 1, 6], [0, 0, -1, -5]];
    assert.equal(occluders.addPolytope(planes, { drawn: { min: [-3, -3, -6], max: [3, 3, -5] } }), null);
    assert.deepEqual([...cull.run().indices()], [2]);
    cull.setOccluders(0, null);
    assert.deepEqual([...cull.run().indices()], [1, 2]);
    occluders.addBox([-1, -1, -9], [1, 1, -8]);
    refused(() => occluders.addBox([-1, -1, -9], [1, 1, -8]), 'invalid-argument', /room for 2/);
});

const whole = pathToFileURL(join(folder, 'whole.wasm'));

test('occluders are chosen of many solids, if those may be', async () => {
    const { lanecull, views } = await withCamera({ wasm: whole });
    const occluders = lanecull.createOccluders(4), solids = lanecull.createSolids(70);
    for (let i = 0; i < 70; ++i) solids.setBoxAt(i, [i - 35, -0.1, -40], [i - 34.5, 0.1, -39]);  // small ones
    solids.setBoxAt(3, [-3, -3, -6], [3, 3, -5]);  // a wall before them
    solids.setBoxAt(9, [-8, -8, 5], [8, 8, 6]);    // behind the camera
    occluders.setViewpoint(camera, webgl);
    const chosen = occluders.choose(solids, views, 0);
    assert.equal(chosen[0], 3);
    assert.ok(!chosen.includes(9) && chosen.length === occluders.count && chosen.length <= 4);
    const balls = ballsInARow(lanecull, 10, 1);
    balls.z.fill(-12);
    balls.radius.fill(0.1);
    const cull = lanecull.createCull([balls], views);
    cull.setOccluders(0, occluders);
    assert.deepEqual([...cull.run().indices()], [8, 9]);  // at x = 7.2 the wall's shadow ends
    solids.candidates[0] &= ~(1 << 3);
    assert.ok(!occluders.choose(solids, views, 0).includes(3));
    solids.candidates.fill(0);
    assert.equal(occluders.choose(solids, views, 0).length, 0);
    assert.equal(cull.run().indices().length, 10);
    refused(() => solids.setBoxAt(70, [0, 0, 0], [1, 1, 1]), 'invalid-argument', /^i: 70 is not below 70/);
    refused(() => occluders.choose(solids, views, 1), 'invalid-argument', /^i: 1 is not below 1/);
    solids.destroy();
    refused(() => occluders.choose(solids, views, 0), 'invalid-argument', /^solids: has been destroyed/);
});

test('solids as occluders are rounded inward', async () => {
    const { lanecull } = await withCamera({ wasm: whole });
    const solids = lanecull.createSolids(1);
    solids.setBoxAt(0, [0.1, -0.1, 0.3], [1.1, 1.3, 1.7]);
    const box = lanecull.createOccluders(1).memory.f32.subarray(solids.set.get('boxes.items') / 4).slice(0, 6);
    [0.1, -0.1, 0.3].forEach((x, k) => assert.ok(box[k] >= x && box[k] < x + 1e-6));
    [1.1, 1.3, 1.7].forEach((x, k) => assert.ok(box[3 + k] <= x && box[3 + k] > x - 1e-6));
});

// Three lamps and a spotlight, of which some reach some of 2 x 2 x 2 cells; every number is a float, and so are the
// points of touch.
async function withLights(options) {
    const lanecull = await load({ wasm: whole });
    const lights = lanecull.createLights({ balls: 3, spots: 1, end: 'flat', layers: true });
    const setLight = (kind, i, numbers) => {
        for (const [name, value] of Object.entries(numbers)) lights[kind][name][i] = value;
    };
    setLight('balls', 0, { x: 0.5, y: 0.5, z: -1.5, radius: 0.5 });
    setLight('balls', 1, { z: -8, radius: 4 });
    setLight('balls', 2, { z: 8, radius: 1 });
    setLight('spots', 0, { x: 0.5, y: 0.5, z: -0.5, range: 0.5, axisZ: -1, tangent: 2 });
    const cells = lanecull.createLightCells(lights, { tilesX: 2, tilesY: 2, boundaries: [1, 2, 4], ...options });
    const lists = () => {
        const offsets = cells.offsets();
        return Array.from({ length: cells.count }, (_, c) => [...cells.indices().subarray(offsets[c], offsets[c + 1])]);
    };
    return { lanecull, lights, cells, lists };
}

test('lights in the cells that they reach', async () => {
    const { lights, cells, lists } = await withLights({ outputs: ['lists', 'bits'] });
    const all = [[3], [0, 3], [0, 3], [0, 3], [1], [1], [1], [0, 1]];
    cells.assign(camera, webgl);
    assert.deepEqual(lists(), all);
    assert.equal(cells.entryCount, 12);
    assert.deepEqual([...cells.bits()], all.map(list => list.reduce((bits, i) => bits | 1 << i, 0)));
    lights.layers[0] = 2;
    cells.assign(camera, webgl, { layerMask: 1 });
    assert.deepEqual(lists(), all.map(list => list.filter(i => i !== 0)));
    lights.balls.count = 1;  // so the spotlight is number 1
    cells.assign(camera, webgl);
    assert.deepEqual(lists(), [[1], [0, 1], [0, 1], [0, 1], [], [], [], [0]]);
    assert.deepEqual([lights.count, cells.bits().length], [2, 8]);
});

test('lights that light what is seen', async () => {
    const { lanecull, cells, lists } = await withLights();
    const seen = options => cells.cull(camera, webgl, options)[0];
    assert.equal(seen(), 0b1011);
    assert.equal(seen({ bounds: { min: [-1, -1, -3], max: [1, 1, -1] } }), 0b1001);
    assert.deepEqual([...cells.visible()], [0b1001]);
    cells.assign(camera, webgl, { visible: true });
    assert.deepEqual(lists(), [[3], [0, 3], [0, 3], [0, 3], [], [], [], [0]]);
    const occluders = lanecull.createOccluders(1);
    occluders.setViewpoint(camera, webgl);
    assert.equal(occluders.addBox([-8, -8, -3], [8, 8, -2.5]), null);
    assert.equal(seen({ occluders }), 0b1001);
    assert.equal(seen({ occluders: null }), 0b1011);
});

test('lists that are too short, and lights and cells that are none', async () => {
    const { lanecull, lights, cells } = await withLights({ entries: 3 });
    cells.assign(camera, webgl);
    assert.deepEqual([cells.entryCount, cells.indices().length, cells.offsets()[8]], [12, 3, 12]);
    refused(() => cells.bits(), 'invalid-argument', /^outputs: 'bits' was not asked for/);
    refused(() => cells.assign(camera, webgl, { layerMask: 0.5 }), 'invalid-argument', /^options.layerMask: .* 32 bits/);
    refused(() => lanecull.createLightCells({}, {}), 'invalid-argument', /^lights: must be what createLights/);
    const none = lanecull.createLightCells(lights, { tilesX: 0, tilesY: 1, boundaries: [1, 2] });
    refused(() => none.assign(camera, webgl), 'invalid-argument', /^grid.tiles_x: 1 to 64, not 0/);
    refused(() => lanecull.createLights({ spots: 1, end: 'pointed' }), 'invalid-argument', /^end: .* round, flat/);
    lights.destroy();
    refused(() => cells.assign(camera, webgl), 'invalid-argument', /^lights: has been destroyed/);
});

test('each point of a cell is lit by no light that is not in its list', async () => {
    const lanecull = await load({ wasm: whole }), lights = lanecull.createLights({ balls: 40 });
    const [tilesX, tilesY] = [4, 2], boundaries = [0.1, 4, 8, 16, 64];
    const cells = lanecull.createLightCells(lights, { tilesX, tilesY, boundaries }), { x, y, z, radius } = lights.balls;
    let state = 7;
    const random = () => (state = state * 16807 % 2147483647) / 2147483647;
    for (let i = 0; i < 40; ++i) {
        z[i] = -1 - 40 * random();
        x[i] = z[i] * (2 * random() - 1);
        y[i] = z[i] * (2 * random() - 1);
        radius[i] = 0.5 + 4 * random();
    }
    const offsets = cells.assign(camera, webgl).offsets(), indices = cells.indices();
    assert.deepEqual([cells.count, offsets.length, offsets.at(-1)], [32, 33, cells.entryCount]);
    let reached = 0;
    for (let n = 0; n < 4000; ++n) {
        const u = random(), v = random(), depth = 0.1 + 60 * random(), slice = boundaries.findIndex(b => b > depth) - 1;
        const cell = (slice * tilesY + Math.floor(v * tilesY)) * tilesX + Math.floor(u * tilesX);
        const list = indices.subarray(offsets[cell], offsets[cell + 1]);
        for (let i = 0; i < 40; ++i) {
            if (Math.hypot(x[i] - (2 * u - 1) * depth, y[i] - (2 * v - 1) * depth, z[i] + depth) > radius[i]) continue;
            ++reached;
            assert.ok(list.includes(i), `light ${i} reaches a point of a cell without it`);
        }
    }
    assert.ok(reached > 100 && cells.entryCount < 40 * cells.count / 2);
});

test('the small module has none of these', async () => {
    const lanecull = await load(), lights = lanecull.createLights({ balls: 3 });
    refused(() => lanecull.createSolids(3), 'unsupported', /this module is without it/);
    refused(() => lanecull.createLightCells(lights, { tilesX: 1, tilesY: 1, boundaries: [1, 2] }), 'unsupported', /without it/);
});

test('floats beside a number are the nearest on their side', () => {
    const float = new Float32Array(1), bits = new Uint32Array(float.buffer);
    let state = 54;
    const next = () => { state = Math.imul(state, 1664525) + 1013904223 | 0; return state >>> 0; };
    const check = x => {
        const low = floatBelow(x), high = floatAbove(x);
        assert.ok(low <= x && x <= high && Math.fround(low) === low && Math.fround(high) === high, `${x}`);
        assert.equal(low === x, high === x, `${x}`);
        if (low === high) return;
        assert.ok(!(Math.fround(low + (high - low) / 2) > low && Math.fround(low + (high - low) / 2) < high), `${x}`);
    };
    for (const x of [0, -0, 0.1, -0.1, 1e-50, -1e-50, 2 ** -149, -(2 ** -150), 1e300, -1e300, 3.4028235e38, Infinity,
                     -Infinity, 1 + 2 ** -50, 2 - 2 ** -50, 16777217, -16777217]) check(x);
    for (let i = 0; i < 1e5; ++i) {
        bits[0] = next();
        if (Number.isNaN(float[0])) continue;
        check(float[0]);
        check(float[0] * (1 + next() * 2 ** -60));
    }
    assert.deepEqual([floatBelow(NaN), floatAbove(NaN), floatBelow(1e300)], [NaN, NaN, (2 - 2 ** -23) * 2 ** 127]);
});

test('solids are rounded inward, and what is drawn outward', async () => {
    const { lanecull } = await withCamera();
    const occluders = lanecull.createOccluders(64);
    occluders.setViewpoint(camera, webgl);
    const min = [-3.1, -2.7, -6.3], max = [3.3, 2.9, -5.7];
    assert.equal(occluders.addBox(min, max, { drawn: { min, max } }), null);
    const low = occluders.box.getArray('min'), high = occluders.box.getArray('max');
    const drawnLow = occluders.drawn.getArray('min'), drawnHigh = occluders.drawn.getArray('max');
    for (const k of [0, 1, 2]) {
        assert.ok(low[k] > min[k] && high[k] < max[k], 'the solid is inside of the box');
        assert.ok(drawnLow[k] < min[k] && drawnHigh[k] > max[k], 'and the box inside of what is drawn');
    }
    // Thinner than floats are apart: nothing is left of it.
    assert.equal(occluders.addBox([-3, -3, -5.7], [3, 3, -5.7 + 1e-9]), 'invalid');
    const axes = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const bad = (call, sentence) => refused(call, 'invalid-argument', sentence);
    bad(() => occluders.addOrientedBox([0.1, 0, -5], [1, 1, 1], axes), /^center: must be numbers of float32, rounded/);
    bad(() => occluders.addOrientedBox([0, 0, -5], [1, 1.1, 1], axes), /^halfExtents: must be numbers of float32/);
    bad(() => occluders.addOrientedBox([0, 0, -5], [1, 1, 1], [0.6, 0.8, ...axes.slice(2)]), /^axes: must be numbers/);
    assert.equal(occluders.count, 1);
    const turned = new Float32Array([0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1]);
    assert.equal(occluders.addOrientedBox([0, 0, -5], [1, 1, 1], turned), null);
    const layout = { transforms: 'rows-3x4' };
    bad(() => lanecull.createHullInstances(1, [[0, 0, 0, 0.1, 0, 0]], layout), /^hulls\[0\]: must be numbers of float32/);
    assert.ok(lanecull.createHullInstances(1, [new Float32Array([0, 0, 0, 0.1, 0, 0])], layout));
});

test('memory grows, and arrays are those of now', async () => {
    const { lanecull, views } = await withCamera();
    const balls = ballsInARow(lanecull, 100, 0.1), kept = balls.x;
    const cull = lanecull.createCull([balls], views);
    const before = lanecull.memoryBytes;
    const many = lanecull.createSpheres(4e6);
    assert.ok(lanecull.memoryBytes > before);
    assert.equal(kept.length, 0);
    assert.equal(balls.x.length, 100);
    assert.equal(cull.run().visibleCount(), 65);
    many.destroy();
    const after = lanecull.memoryBytes;
    for (let i = 0; i < 10; ++i) lanecull.createSpheres(4e6).destroy();
    assert.equal(lanecull.memoryBytes, after);

    const { lanecull: large } = await withCamera({ memoryBytes: 1e8 });
    assert.ok(large.memoryBytes >= 1e8);
    const x = large.createSpheres(4e6).x;
    assert.equal(x.length, 4e6);
    refused(() => large.createSpheres(2e8), 'out-of-memory', /no memory for 800000000 bytes|no memory for/);
    assert.equal(large.createSpheres(3).x.length, 3);
    await assert.rejects(load({ memoryBytes: 1e12 }), { code: 'out-of-memory' });
});

test('bad input is refused, and says what is wrong', async () => {
    const { lanecull, views } = await withCamera();
    const balls = ballsInARow(lanecull, 10, 1);
    const cull = lanecull.createCull([balls], views);
    const bad = (call, sentence) => refused(call, 'invalid-argument', sentence);
    bad(() => lanecull.createSpheres(-1), /^count: must be a whole number/);
    bad(() => lanecull.createSpheres(1.5), /^count: .* not 1.5/);
    bad(() => lanecull.createBoxes('5'), /^count: /);
    bad(() => lanecull.createBoxes(1, { attributes: ['weight'] }), /^attributes: must be one of margin.*not weight/);
    bad(() => lanecull.createBoxInstances(1, { transforms: 'columns' }), /^transforms: must be one of rows-3x4/);
    bad(() => lanecull.createBoxInstances(1), /^transforms: must be one of rows-3x4.*not undefined/);
    bad(() => lanecull.createHullInstances(1, [[0, 0, 0]], {}), /^transforms: must be one of .*not undefined/);
    bad(() => { balls.count = 11; }, /^count: .* 0 to 10, not 11/);
    bad(() => views.prepare(1, camera, webgl), /^i: 1 is not below 1/);
    bad(() => views.prepare(0.5, camera, webgl), /^i: must be a whole number/);
    bad(() => views.prepare(0, camera.slice(1), webgl), /^clipFromWorld: must be an array of 16 numbers/);
    bad(() => views.prepare(0, camera), /^clipSpace: must be given/);
    bad(() => views.prepare(0, camera, { depth: 'webgl' }), /^clipSpace.depth: must be one of/);
    bad(() => views.prepare(0, new Array(16).fill(0), webgl), /./);
    bad(() => views.prepare(0, camera.map(() => NaN), webgpu), /finite/);
    bad(() => views.prepare(0, camera, webgl, { margin: -1 }), /margin/);
    bad(() => views.prepare(0, camera, webgl, { clipPlanes: [[1, 2, 3]] }), /^options.clipPlanes\[0\]/);
    bad(() => views.prepare(0, camera, webgl, { clipPlanes: new Array(33).fill([1, 0, 0, 0]) }), /at most 32 planes/);
    bad(() => views.prepare(0, camera, webgl, { clipPlanes: new Array(11).fill([1, 0, 0, 0]) }), /clip.planes/);
    bad(() => views.prepare(0, camera, webgl, { directionalLight: { toward: [0, 0, 0] } }), /directional_light/);
    for (const layerMask of [2 ** 32, 1.5, NaN, -(2 ** 31) - 1, '1']) {
        bad(() => views.prepare(0, camera, webgl, { layerMask }), /^options.layerMask: must be a whole number of 32/);
    }
    views.prepare(0, camera, webgl, { layerMask: -1 });
    bad(() => views.prepareFromPlanes(0, []), /plane/);
    bad(() => lanecull.createCull([balls], views, { outputs: ['bytes'] }), /^outputs: must be one of bits/);
    bad(() => lanecull.createCull([balls], views, { method: 'fast' }), /^method: must be one of/);
    bad(() => lanecull.createCull([views], views), /^batches: must be an array of batches/);
    bad(() => lanecull.createCull([balls], balls), /^views: /);
    bad(() => cull.bits(), /'bits' was not asked for/);
    bad(() => cull.indices(1), /^view: /);
    bad(() => cull.indices(0, 1), /^batch: /);
    refused(() => lanecull.createCull([balls], lanecull.createViews(1)).run(), 'not-ready', /prepare/);
    // What was refused has changed nothing.
    assert.equal(balls.count, 10);
    assert.equal(cull.run().visibleCount(), 7);
});

test('what was destroyed is refused', async () => {
    const { lanecull, views } = await withCamera();
    const balls = ballsInARow(lanecull, 10, 1), occluders = lanecull.createOccluders(1);
    const cull = lanecull.createCull([balls], views);
    const gone = (call, sentence) => refused(call, 'invalid-argument', sentence);
    cull.setOccluders(0, occluders);
    occluders.destroy();
    gone(() => cull.run(), /^occluders: has been destroyed/);
    gone(() => occluders.addBox([0, 0, 0], [1, 1, 1]), /^occluders: /);
    cull.setOccluders(0, null);
    balls.destroy();
    balls.destroy();
    gone(() => balls.x, /^spheres: has been destroyed/);
    gone(() => { balls.count = 1; }, /^spheres: /);
    gone(() => cull.run(), /^spheres: /);
    views.destroy();
    gone(() => views.prepare(0, camera, webgl), /^views: /);
    cull.destroy();
    gone(() => cull.indices(), /^cull: /);
});

test('absent kinds are refused by name', async () => {
    const { lanecull, views } = await withCamera();
    const capsules = lanecull.createCapsules(1);
    const cull = lanecull.createCull([capsules], views);
    refused(() => cull.run(), 'unsupported', /Capsules: this build has no kernels/);
});

test('where the module is', async () => {
    const bytes = readFileSync(join(folder, 'lanecull.wasm'));
    for (const wasm of [bytes, new Uint8Array(bytes).buffer, await WebAssembly.compile(bytes),
                        pathToFileURL(join(folder, 'lanecull.wasm')).href]) {
        assert.ok((await load({ wasm })).memoryBytes > 0);
    }
    await assert.rejects(load({ wasm: new Uint8Array(8) }), WebAssembly.CompileError);
});
