// The labelled cases, decided by the package: labelled.mjs PACKAGE CASES EXPECTED [ENTRY]
//   CASES     as tests/conformance/pack_cases writes them
//   EXPECTED  what tests/conformance prints of the same cases, asked through C++
//   ENTRY     index.js, or core.js
// The labels hold and, where the module has every kind, the verdicts' checksum is that of C++. Kinds and views that it
// lacks are refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageFolder, casesPath, expectedPath, entry = 'index.js'] = process.argv.slice(2);
const { load, LanecullError } = await import(pathToFileURL(join(packageFolder, entry)));
const lanecull = await load();
const views = lanecull.createViews(1);

function readCases(path) {
    const bytes = readFileSync(path);
    let at = 0;
    const word = () => bytes.readUInt32LE((at += 4) - 4);
    const floats = count => Array.from({ length: count }, () => bytes.readFloatLE((at += 4) - 4));
    return Array.from({ length: word() }, () => {
        const [expect, shapeKind, viewKind, lightKind, vertices] = [word(), word(), word(), word(), word()];
        return {
            expect: ['either', 'visible', 'culled'][expect], shapeKind, viewKind, lightKind,
            view: floats(viewKind === 2 ? 24 : 16), light: floats([0, 4, 3][lightKind]), sweep: floats(3),
            shape: floats([4, 6, 6, 15, 7, 3 * vertices][shapeKind]),
        };
    });
}

function prepare({ viewKind, view, lightKind, light }) {
    const options = {};
    if (lightKind === 1) options.directionalLight = { toward: light.slice(0, 3), reach: light[3] };
    if (lightKind === 2) options.pointLight = { at: light };
    if (viewKind === 2) return views.prepareFromCorners(0, view, options);
    const depth = ['zero-to-one', 'minus-one-to-one'][viewKind];
    return views.prepare(0, view, { layout: 'row-major', depth }, options);
}

// Fills one-element arrays.
function fill(batch, names, numbers) {
    names.forEach((name, k) => { batch[name][0] = numbers[k]; });
    return batch;
}

const box = ['minX', 'minY', 'minZ', 'maxX', 'maxY', 'maxZ'];
const makers = [
    (n, options) => fill(lanecull.createSpheres(1, options), ['x', 'y', 'z', 'radius'], n),
    (n, options) => fill(lanecull.createBoxes(1, options), box, n),
    (n, options) => fill(lanecull.createCenteredBoxes(1, options), ['x', 'y', 'z', 'halfX', 'halfY', 'halfZ'], n),
    (n, options) => {
        const batch = lanecull.createOrientedBoxes(1, { ...options, orientation: 'axes' });
        batch.axes.set(n.slice(3, 12));
        batch.halfExtents.set(n.slice(12));
        return fill(batch, ['x', 'y', 'z'], n);
    },
    (n, options) => fill(lanecull.createCapsules(1, options), ['aX', 'aY', 'aZ', 'bX', 'bY', 'bZ', 'radius'], n),
    (n, options) => {
        const batch = lanecull.createHullInstances(1, [n], { ...options, transforms: 'columns-4x4' });
        batch.transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        return batch;
    },
];

const creators = ['createSpheres', 'createBoxes', 'createCenteredBoxes', 'createOrientedBoxes', 'createCapsules',
                  'createHullInstances'];

function seen(one) {
    prepare(one);
    const swept = one.sweep.some(x => x !== 0);
    const batch = makers[one.shapeKind](one.shape, { attributes: swept ? ['sweepX', 'sweepY', 'sweepZ'] : [] });
    if (swept) fill(batch, ['sweepX', 'sweepY', 'sweepZ'], one.sweep);
    const cull = lanecull.createCull([batch], views, { outputs: ['bits', 'indices'] });
    try {
        const listed = cull.run().indices().length === 1;
        if (listed !== ((cull.bits()[0] & 1) === 1)) throw new Error('bits and indices differ');
        return listed;
    } finally {
        cull.destroy();
        batch.destroy();
    }
}

// Whether the object is visible; null if the module lacks its kind or its view.
function ask(one) {
    if (lanecull[creators[one.shapeKind]] === undefined) return null;
    try {
        return seen(one);
    } catch (error) {
        if (error instanceof LanecullError && error.code === 'unsupported') return null;
        throw error;
    }
}

const cases = readCases(casesPath);
const verdicts = cases.map(ask);
const wrong = cases.filter(({ expect }, i) =>
    verdicts[i] !== null && expect !== 'either' && verdicts[i] !== (expect === 'visible'));
const asked = verdicts.filter(verdict => verdict !== null).length;
console.log(`${asked} of ${cases.length} labelled cases, ${wrong.length} wrong`);
let right = cases.length > 2000 && asked > 100 && wrong.length === 0;

if (asked === cases.length) {
    let checksum = 0xcbf29ce484222325n;  // FNV-1a
    for (const visible of verdicts) checksum = BigInt.asUintN(64, (checksum ^ BigInt(visible)) * 0x100000001b3n);
    const found = checksum.toString(16).padStart(16, '0');
    const [, expected] = /automatic:.*\n.*verdicts ([0-9a-f]+)/.exec(readFileSync(expectedPath, 'utf8'));
    console.log(`verdicts ${found}, by C++ ${expected}`);
    right &&= found === expected;
}
process.exit(right ? 0 : 1);
