// Tests the playground in headless Chromium: node check.mjs BUILD MODULES [FOLDER]
//   BUILD    a build folder with pages/gjk.wasm, such as build/wasm-small
//   MODULES  a folder node_modules with three and playwright-core
//   FOLDER   where pictures of the page go, which are written as well
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { open } from '../browser.mjs';

const [buildFolder, modules, folder] = process.argv.slice(2);

// In the page: answers for every two kinds at some places, held against points of both shapes. Returns what is wrong, and
// how many there were of each verdict.
async function verifyAnswers(far) {
    const { library } = globalThis.page, { kindsIn } = await import('./solve.js'), wrong = [], told = {};
    const { directionsIn } = await import('./picture.js');
    const dot = (p, q) => p.reduce((sum, x, i) => sum + x * q[i], 0);
    let seed = 1;
    const random = () => (seed = seed * 48271 % 2147483647) / 2147483647 - 0.5;
    for (const dimension of [2, 3]) {
        const kinds = kindsIn(dimension), directions = directionsIn(dimension);
        for (const a of kinds) {
            for (const b of kinds) {
                const shapes = [a, b].map(kind => ({ kind, size: 1 + random(), turn: 6 * random(), tilt: 6 * random(),
                                                     center: [3 * random(), 3 * random(), dimension === 2 ? 0 : 3 * random()] }));
                const answer = library.solve(dimension, shapes, far), { verdict, way, lower, upper, steps } = answer;
                told[verdict] = (told[verdict] ?? 0) + 1;
                const note = sentence => wrong.push(`${dimension}D ${a} ${b}: ${sentence}`);
                const [of_a, of_b] = [0, 1].map(which => library.supports(dimension, shapes, far, which, directions));
                const gap = Math.min(...of_b.map(p => dot(p, way))) - Math.max(...of_a.map(p => dot(p, way)));
                const slack = 1e-5 + 4e-7 * far;
                if (verdict === 'separated' && !(gap > lower - slack)) note(`a gap of ${gap} is no ${lower}`);
                if (verdict === 'separated' && !(lower > 0 && lower <= upper)) note('bounds out of order');
                // A common point is no farther along any direction than either shape.
                const isWithin = points => directions.every((d, i) => dot(d, answer.a) <= dot(d, points[i]) + 1e-3 + slack);
                if (verdict === 'intersecting' && !(isWithin(of_a) && isWithin(of_b))) note('no common point');
                const apart = Math.hypot(...answer.a.map((x, i) => x - answer.b[i]));
                if (Math.abs(apart - answer.distance) > 1e-3 + slack) note(`nearest points ${apart} apart`);
                if (steps.length < 1) note('no steps');
                // Each step's point is nearer to the origin than the one before.
                const lengths = steps.map(({ nearest }) => Math.hypot(...nearest));
                if (lengths.some((x, k) => k > 0 && x > lengths[k - 1] + slack)) note('a step leads away');
            }
        }
    }
    return { wrong, told };
}

// In the page: how many colours its canvas has.
function countColors() {
    const gl = document.querySelector('canvas').getContext('webgl2');
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return new Set(new Uint32Array(pixels.buffer)).size;
}

const { page, errors, close } = await open(buildFolder, modules, 'gjk/');
const change = of => page.evaluate(state => { globalThis.page.choose(state); globalThis.page.draw(); }, of);
const state = () => page.evaluate(() => globalThis.page.state);
try {
    assert.equal(await page.textContent('#error'), '');
    for (const far of [0, 1000]) {
        const { wrong, told } = await page.evaluate(verifyAnswers, far);
        assert.deepEqual(wrong, []);
        assert.ok(told.separated >= 10 && told.intersecting >= 10, JSON.stringify(told));
        console.log(`${far} from the origin:`, JSON.stringify(told));
    }

    for (const [width, height] of [[1280, 800], [800, 900], [390, 844]]) {
        await page.setViewportSize({ width, height });
        for (const dimension of [2, 3]) {
            await change({ dimension, step: 99 });
            assert.ok(await page.evaluate(countColors) > 100, 'hardly anything is drawn');
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the screen');
            if (folder !== undefined) await page.screenshot({ path: join(folder, `gjk-${dimension}d-${width}.png`) });
        }
    }

    // The slider leads through the steps, and the words follow.
    await page.setViewportSize({ width: 1280, height: 800 });
    await change({ dimension: 2, step: 1 });
    assert.match(await page.textContent('#told'), /first direction.*a point\./s);
    await page.locator('#step').press('End');
    assert.match(await page.textContent('#told'), /that is the proof/);
    assert.match(await page.textContent('#answer'), /^Separated, proved/);

    // A shape is dragged into the other one; beside both nothing moves.
    const before = await state();
    const drag = async (from, to) => {
        await page.mouse.move(...from);
        await page.mouse.down();
        await page.mouse.move(...to, { steps: 8 });
        await page.mouse.up();
    };
    await drag([320, 40], [360, 90]);
    assert.deepEqual((await state()).shapes, before.shapes);
    await drag([190, 270], [400, 290]);
    const after = await state();
    assert.deepEqual(after.shapes[1], before.shapes[1]);
    assert.ok(after.shapes[0].center[0] > before.shapes[0].center[0] + 1, 'the shape was not dragged');
    assert.match(await page.textContent('#answer'), /^They intersect/);

    // Far from the origin floats are coarse: nothing is proved that rounding may have made.
    const bandAt = async far => {
        await change({ far, shapes: before.shapes, step: 99 });
        return page.evaluate(() => globalThis.page.answer().band);
    };
    const near = await bandAt(0), distant = await bandAt(4);
    assert.ok(distant > 100 * near, `${near} ${distant}`);
    await bandAt(7);
    assert.doesNotMatch(await page.textContent('#answer'), /^Separated/);
    assert.deepEqual(errors, []);
} finally {
    await close();
}
