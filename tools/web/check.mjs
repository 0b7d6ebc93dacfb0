// Tests the page in headless Chromium: node check.mjs BUILD MODULES [PICTURE]
//   BUILD    a build folder with the package of tools/wasm, such as build/wasm-small
//   MODULES  a folder node_modules with three and playwright-core
//   PICTURE  a PNG of the page, which is written as well, and beside it one by night, without times of frames: SwiftShader's are no one's
// Prints how long each way culls. The exit status is 77 if there is no Chromium: CHROMIUM, or /usr/bin/chromium.
import assert from 'node:assert/strict';
import { open } from './browser.mjs';

const [buildFolder, modules, picture] = process.argv.slice(2);

// In the page: what each way draws from places along the course, compared with what three.js sees. Returns what is
// wrong, and how many instances are drawn.
async function compareWays(places) {
    const THREE = await import('three');
    const { page } = globalThis, wrong = [], frustum = new THREE.Frustum(), matrix = new THREE.Matrix4();
    const corner = new THREE.Vector3();
    // three.js' exact test: whether a corner of the instance's box is in the frustum.
    const isSeen = ({ mesh }, matrices, i) => {
        const { min, max } = mesh.geometry.boundingBox;
        matrix.fromArray(matrices, 16 * i);
        return [0, 1, 2, 3, 4, 5, 6, 7].some(k => frustum.containsPoint(
            corner.set((k & 1 ? max : min).x, (k & 2 ? max : min).y, (k & 4 ? max : min).z).applyMatrix4(matrix)));
    };
    page.cullings.forEach(culling => culling.restore());  // the matrices of all instances
    const allMatrices = page.cullings.map(({ mesh }) => mesh.instanceMatrix.array.slice());
    const drawn = [];
    for (const part of places) {
        page.flight.goTo(part);
        const lists = {};
        for (const name of Object.keys(page.ways)) lists[name] = page.cull(name).map(list => [...list]);
        frustum.setFromProjectionMatrix(
            matrix.multiplyMatrices(page.camera.projectionMatrix, page.camera.matrixWorldInverse).clone());
        page.cullings.forEach((culling, k) => {
            const note = sentence => wrong.push(`${culling.mesh.name} at ${part}: ${sentence}`);
            const kept = new Set(lists.lanecull[k]), byThree = new Set(lists.three[k]);
            for (let i = 0; i < culling.count; ++i) {
                if (!kept.has(i) && isSeen(culling, allMatrices[k], i)) note(`${i} was culled, and three.js sees it`);
            }
            if (lists.none[k].length !== culling.count) note('not all are drawn');
            if (lists.occluders[k].some(i => !kept.has(i))) note('occluders made something visible');
            const ordered = lists.ordered[k], { min, max } = culling.mesh.geometry.boundingBox;
            if (`${[...ordered].sort((a, b) => a - b)}` !== `${lists.occluders[k]}`) note('an order changes what is drawn');
            const depths = ordered.map(i => -corner.addVectors(min, max).divideScalar(2).applyMatrix4(
                matrix.fromArray(allMatrices[k], 16 * i)).applyMatrix4(page.camera.matrixWorldInverse).z);
            // The order is that of the middles of boxes around the instances, which a turn may move a little.
            if (depths.some((depth, n) => depth < depths[n - 1] - 1.5)) note('not front to back');
            const more = lists.lanecull[k].filter(i => !byThree.has(i)).length;
            if (more > 2) note(`${more} are kept that three.js culls`);
        });
        const total = name => lists[name].reduce((sum, { length }) => sum + length, 0);
        drawn.push(Object.fromEntries(Object.keys(lists).map(name => [name, total(name)])));
    }
    return { wrong, drawn };
}

// In the page: how many pixels of a frame differ from one in which nothing is culled, for each way.
function comparePictures(part) {
    const { page } = globalThis, gl = page.renderer.getContext();
    page.flight.goTo(part);
    const pictureOf = name => {
        page.table.choose(name);
        page.draw();
        const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return new Uint32Array(pixels.buffer);
    };
    const whole = pictureOf('none');
    return {
        colors: new Set(whole).size,
        differing: ['objects', 'three', 'lanecull', 'occluders', 'ordered'].map(name =>
            pictureOf(name).reduce((sum, pixel, i) => sum + (pixel !== whole[i] ? 1 : 0), 0)),
    };
}

// In the page, by night: how many pixels differ from a frame in which each pixel adds up all of the 150 lamps that are
// nearest, if it adds those of its cell, and if occluders hide lamps; and how many differ without a lamp.
function compareLamps(part) {
    const { page } = globalThis, gl = page.renderer.getContext(), { lamps } = page, all = 150;
    page.flight.goTo(part);
    page.setNight(true);
    const { x, y, z } = lamps.lights, eye = page.camera.position, places = lamps.uniforms.lampPlaces.value;
    page.places ??= Array.from(x, (_, i) => [x[i], y[i], z[i]]);
    const far = ([a, b, c]) => Math.hypot(a - eye.x, b - eye.y, c - eye.z);
    page.places.sort((a, b) => far(a) - far(b)).slice(0, all).forEach((at, i) => {
        [x[i], y[i], z[i]] = at;
        places.image.data.set(at, 4 * i);
    });
    places.needsUpdate = true;
    const lists = page.cull('occluders');
    page.cullings.forEach((culling, k) => culling.show(lists[k]));
    const pictureOf = (every, count, occluders) => {
        lamps.lights.count = count;
        lamps.uniforms.lampCount.value = count;
        lamps.uniforms.everyLamp.value = every;
        lamps.update(occluders);
        page.renderer.render(page.scene, page.camera);
        const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return { pixels: new Uint32Array(pixels.buffer), entries: lamps.cells.entryCount };
    };
    const every = pictureOf(true, all, null), cells = pictureOf(false, all, null);
    const dark = pictureOf(false, 0, null), hidden = pictureOf(false, all, page.hiders.occluders);
    page.setNight(false);
    const differing = ({ pixels }) => pixels.reduce((sum, pixel, i) => sum + (pixel !== every.pixels[i] ? 1 : 0), 0);
    return { pixels: every.pixels.length, cells: differing(cells), hidden: differing(hidden), dark: differing(dark),
             entries: cells.entries, fewer: hidden.entries };
}

// In the page: that a frozen camera goes on culling for where it was.
function checkFreezing() {
    const { page } = globalThis, count = () => page.cull('lanecull').reduce((sum, { length }) => sum + length, 0);
    page.flight.goTo(0.1);
    const before = count();
    page.freeze(true);
    page.flight.goTo(0.6);
    const frozen = count();
    page.freeze(false);
    return { before, frozen, after: count() };
}

// In the page: each way's median milliseconds, asked in turn along the course.
function time(rounds) {
    const { page } = globalThis, names = ['lanecull', 'occluders', 'ordered', 'three', 'objects'];
    const times = Object.fromEntries(names.map(name => [name, []]));
    for (let round = -rounds; round < rounds; ++round) {  // the first half warms the compilers up
        page.flight.goTo((round + rounds) % rounds / rounds);
        for (const name of names) {
            const start = performance.now();
            page.cull(name);
            if (round >= 0) times[name].push(performance.now() - start);
        }
    }
    for (const name of names) times[name].sort((a, b) => a - b);
    return Object.fromEntries(names.map(name => [name, times[name][rounds >> 1]]));
}

const { page, errors, close } = await open(buildFolder, modules, '#still');
try {
    assert.equal(await page.textContent('#error'), '');

    const places = Array.from({ length: 8 }, (_, k) => k / 8 + 0.01);
    const { wrong, drawn } = await page.evaluate(compareWays, places);
    assert.deepEqual(wrong, []);
    for (const { none, three, lanecull, occluders } of drawn) {
        assert.equal(none, 100_000);
        assert.ok(three <= 60_000 && lanecull <= three + 2 && occluders < lanecull, 'hardly anything is culled');
    }
    console.log('drawn by three.js, lanecull, with occluders:', drawn.map(
        ({ three, lanecull, occluders }) => `${three} ${lanecull} ${occluders}`).join(', '));

    const { before, frozen, after } = await page.evaluate(checkFreezing);
    assert.equal(frozen, before);
    assert.notEqual(after, before);

    const { lanecull, occluders, ordered, three, objects } = await page.evaluate(time, 40);
    const ratio = by => (by / lanecull).toFixed(1);
    console.log(`culling, ms: lanecull ${lanecull.toFixed(3)}, with occluders ${occluders.toFixed(3)}, ` +
                `in order ${ordered.toFixed(3)}, ` +
                `three.js by boxes ${three.toFixed(3)}, by objects ${objects.toFixed(3)}; ` +
                `lanecull is ${ratio(three)} and ${ratio(objects)} times as fast`);

    if (picture !== undefined) await page.setViewportSize({ width: 1280, height: 720 });
    const { colors, differing } = await page.evaluate(comparePictures, 0.41);
    assert.ok(colors > 500, 'the picture is empty');
    // SwiftShader clips the two triangles of a wall apart, so that the ground may show through a pixel of a wall at the
    // screen's edge. It does not where occluders have hidden the ground.
    assert.deepEqual(differing.slice(0, 3), [0, 0, 0]);
    // At the horizon depths are equal to the buffer's bits, and the order decides: in reverse ten pixels differ.
    assert.ok(differing[3] <= 3 && differing[4] <= 15, `${differing.slice(3)} pixels differ with occluders`);
    console.log(`a frame of ${colors} colours; so many pixels differ by three.js, lanecull, occluders, order: ${differing}`);
    if (picture !== undefined) {
        await page.evaluate(() => globalThis.page.table.show());
        await page.screenshot({ path: picture });
        await page.keyboard.press('KeyN');
        await page.evaluate(() => { globalThis.page.flight.goTo(0.03); globalThis.page.draw(); });
        await page.screenshot({ path: picture.replace(/\.png$/, '_night.png') });
        await page.keyboard.press('KeyN');
    }

    await page.setViewportSize({ width: 480, height: 270 });
    await page.waitForFunction(() => globalThis.page.camera.pixelWidth === 480);
    for (const part of [0.01, 0.41]) {
        const lit = await page.evaluate(compareLamps, part);
        // Where a depth is on a boundary to rounding, a pixel may have the next cell, whose lamps hardly reach it.
        assert.ok(lit.cells <= 2 && lit.hidden <= 2, `${lit.cells} and ${lit.hidden} pixels differ by lamps`);
        assert.ok(lit.dark > lit.pixels / 50, `without lamps ${lit.dark} pixels differ`);
        assert.ok(lit.fewer < lit.entries, 'occluders hide no lamp');
        console.log(`by night, of ${lit.pixels} pixels differ by cells ${lit.cells}, with occluders ${lit.hidden}, without ` +
                    `lamps ${lit.dark}; ${lit.entries} entries, with occluders ${lit.fewer}`);
    }

    // Ways are chosen by keys, and frames follow one another.
    for (const [key, title] of [['5', /Object/], ['6', /not at all/], ['1', /^1\s*lanecull/], ['2', /occluders/]]) {
        await page.keyboard.press(`Digit${key}`);
        assert.match(await page.locator('.chosen').innerText(), title);
    }
    const frame = await page.evaluate(() => globalThis.page.renderer.info.render.frame);
    await page.evaluate(() => globalThis.page.run());
    await page.waitForFunction(then => globalThis.page.renderer.info.render.frame > then + 3, frame);
    assert.deepEqual(errors, []);
} finally {
    await close();
}

// As a visitor opens it, on three widths.
const visit = await open(buildFolder, modules, '');
try {
    for (const [width, height] of [[1280, 720], [800, 900], [390, 844]]) {
        await visit.page.setViewportSize({ width, height });
        await visit.page.waitForFunction(w => globalThis.page.camera.pixelWidth === w, width);
        assert.ok(await visit.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the screen');
        if (picture !== undefined) await visit.page.screenshot({ path: picture.replace(/\.png$/, `-${width}.png`) });
    }
    assert.deepEqual(visit.errors, []);
} finally {
    await visit.close();
}
