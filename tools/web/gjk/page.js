// The page: two shapes to drag, and what GJK does about them, step by step.
import { load, kindsIn } from './solve.js';
import { Panel, colors, directionsIn, makeRenderer } from './picture.js';
import { answerOf, stepOf } from './words.js';

const $ = id => document.getElementById(id);
const state = {
    dimension: 2, step: 1, far: 0, chosen: 0, view: { yaw: 0.6, pitch: 0.45 },
    shapes: [{ kind: 'polytope', center: [-1.7, 0.3, 0], turn: 0.4, tilt: 0.5, size: 1 },
             { kind: 'box', center: [1.3, -0.2, 0], turn: -0.5, tilt: 0.3, size: 1.1 }],
};
const panels = [new Panel(), new Panel()];
const reach = 3.4;
let library, renderer, answer;

const plus = (p, q, by = 1) => p.map((x, i) => x + by * q[i]);
const dot = (p, q) => p.reduce((sum, x, i) => sum + x * q[i], 0);

// The panels' places on the canvas: side by side, or one above the other where it is narrow.
function places() {
    const { clientWidth: width, clientHeight: height } = renderer.domElement;
    return width > 1.1 * height ? [[0, 0, width / 2, height], [width / 2, 0, width / 2, height]]
                                : [[0, height / 2, width, height / 2], [0, 0, width, height / 2]];
}

function drawShapes(panel, step, isLast) {
    const { dimension, shapes, far } = state;
    ['a', 'b'].forEach((name, which) => panel.body(name, library.supports(dimension, shapes, far, which,
        directionsIn(dimension)), colors[name], 0.45));
    const newest = step.corners.at(-1);
    panel.point(newest.a, colors.newest, 0.9);
    panel.point(newest.b, colors.newest, 0.9);
    if (!isLast) return;
    if (answer.verdict === 'separated') {
        const [low, high] = [0, 1].map(which => library.supports(dimension, shapes, far, which,
            [which === 0 ? answer.way : answer.way.map(x => -x)])[0]);
        panel.slab(low, answer.way, 0, reach, colors.proof);
        panel.slab(high, answer.way, 0, reach, colors.proof);
        panel.arrow(plus(answer.a, answer.b).map(x => 0.5 * x), answer.way, 0.8, colors.proof);
    }
    panel.line(answer.a, answer.b, colors.nearest);
    panel.point(answer.a, colors.nearest);
    panel.point(answer.b, colors.nearest);
}

function drawDifference(panel, step, isLast) {
    const { dimension, shapes, far } = state, directions = directionsIn(dimension), origin = [0, 0, 0];
    let difference = library.supports(dimension, shapes, far, 2, directions);
    // The difference of points and segments is flat: the picture gives it some thickness.
    const isFlat = shapes.every(({ kind }) => kind === 'ball' || kind === 'capsule');
    if (dimension === 3 && isFlat) difference = difference.map((p, i) => plus(p, directions[i], 0.02));
    panel.body('difference', difference, colors.difference, 0.4);
    const corners = step.corners.map(({ w }) => w);
    corners.forEach((p, i) => corners.slice(i + 1).forEach((q, j) => {
        panel.line(p, q, colors.simplex);
        corners.slice(i + j + 2).forEach(r => panel.triangle([p, q, r], colors.simplex));
    }));
    corners.forEach((p, i) => panel.point(p, i + 1 === corners.length ? colors.newest : colors.simplex));
    const from = answer.steps[state.step - 2]?.nearest ?? plus(shapes[0].center, shapes[1].center, -1);
    panel.arrow(from, step.direction, 0.9, colors.newest);
    panel.line(step.nearest, origin, colors.nearest);
    panel.point(step.nearest, colors.nearest, 0.6);
    if (answer.margin > 0) panel.ring(answer.margin, colors.margin);
    if (isLast && answer.verdict !== 'intersecting') {
        panel.slab(answer.highest, answer.way, answer.band, 1.4 * reach, colors.proof);
    }
    const reached = isLast && answer.verdict === 'intersecting';
    for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]].slice(0, dimension)) {
        panel.line(axis.map(x => -0.15 * x), axis.map(x => 0.15 * x), reached ? colors.margin : colors.origin);
    }
}

export function draw() {
    const { dimension, shapes, view } = state;
    answer = library.solve(dimension, shapes, state.far === 0 ? 0 : 10 ** state.far);
    const last = answer.steps.length;
    state.step = Math.min(Math.max(state.step, 1), last);
    const step = answer.steps[state.step - 1], isLast = state.step === last;
    const { domElement: canvas } = renderer, { clientWidth, clientHeight } = canvas;
    renderer.setPixelRatio(Math.min(globalThis.devicePixelRatio, 2));
    renderer.setSize(clientWidth, clientHeight, false);
    // Half as close where the difference is shown, which is as large as both shapes together.
    const middle = plus(shapes[1].center, shapes[0].center).map(x => 0.5 * x);
    const towards = plus(shapes[0].center, shapes[1].center, -1).map(x => 0.5 * x);
    [[drawShapes, state.held ?? middle, reach], [drawDifference, towards, 1.4 * reach]].forEach(([fill, center, far], i) => {
        const place = places()[i], panel = panels[i];
        panel.begin(dimension, far);
        panel.look(dimension === 2 ? [center[0], center[1], 0] : center, far, view, place[2] / place[3]);
        if (step !== undefined) fill(panel, step, isLast);
        renderer.setViewport(...place);
        renderer.setScissor(...place);
        renderer.render(panel.scene, panel.camera);
    });
    tell(step, isLast);
}

function tell(step, isLast) {
    const last = answer.steps.length;
    Object.assign($('step'), { max: last, value: state.step });
    $('steps').value = `${state.step} of ${last}`;
    $('away').value = state.far === 0 ? '0' : `10^${state.far}`;
    $('far').value = state.far;
    $('turn').value = state.shapes[state.chosen].turn;
    showKeys();
    $('answer').textContent = answerOf(answer);
    $('told').textContent = step === undefined ? '' : stepOf(step, state.step, answer, isLast);
    const [, [left, , width, height]] = places();
    Object.assign($('differenceTitle').style, { left: `${left}px`, top: left > 0 ? 0 : `${height}px`, maxWidth: `${width}px` });
}

// What the marks mean that may be in the picture.
function showKeys() {
    const keys = [['difference', 'a − b'], ['origin', 'origin'], ['simplex', 'simplex'],
                  ['newest', 'newest corner, and the direction in which it was found'],
                  ['nearest', 'the simplex’s point nearest to the origin'],
                  ['proof', 'planes that separate them; a − b’s is as thick as what rounding may do']];
    if (answer.margin > 0) keys.push(['margin', 'both margins around the origin']);
    $('keys').replaceChildren(...keys.map(([name, words]) => {
        const key = document.createElement('li'), mark = document.createElement('i');
        mark.style.background = `#${colors[name].toString(16).padStart(6, '0')}`;
        key.append(mark, words);
        return key;
    }));
}

// Which panel a pointer is in, and where: -1 to 1.
function locate({ offsetX, offsetY }) {
    const height = renderer.domElement.clientHeight;
    const at = places().findIndex(([x, y, w, h]) => offsetX >= x && offsetX <= x + w &&
                                                    height - offsetY >= y && height - offsetY <= y + h);
    const [x, y, w, h] = places()[Math.max(at, 0)];
    return { panel: Math.max(at, 0), x: 2 * (offsetX - x) / w - 1, y: 2 * (height - offsetY - y) / h - 1 };
}

function listen(canvas) {
    let drag;
    canvas.addEventListener('pointerdown', event => {
        const { panel, x, y } = locate(event), name = panel === 0 ? panels[0].pick(x, y) : undefined;
        drag = { panel, x, y, which: name === undefined ? undefined : ['a', 'b'].indexOf(name) };
        if (drag.which !== undefined) state.chosen = drag.which;
        // The panel's camera stays while a shape moves.
        state.held = plus(state.shapes[0].center, state.shapes[1].center).map(c => 0.5 * c);
        canvas.setPointerCapture(event.pointerId);
        draw();
    });
    canvas.addEventListener('pointermove', event => {
        if (drag === undefined) return;
        const to = locate(event), dx = to.x - drag.x, dy = to.y - drag.y;
        if (to.panel !== drag.panel) return;
        if (drag.which !== undefined) {
            const shape = state.shapes[drag.which];
            shape.center = plus(shape.center, panels[0].motion(dx, dy));
            state.step = Infinity;
        } else if (state.dimension === 3) {
            state.view.yaw -= 2 * dx;
            state.view.pitch = Math.min(Math.max(state.view.pitch - 2 * dy, -1.5), 1.5);
        }
        Object.assign(drag, to);
        draw();
    });
    canvas.addEventListener('pointerup', () => { drag = undefined; });
    const onInput = (id, take) => $(id).addEventListener('input', () => { take($(id).value); draw(); });
    onInput('dimension', value => choose({ dimension: Number(value) }));
    ['a', 'b'].forEach((id, which) => onInput(id, value => {
        Object.assign(state.shapes[which], { kind: value });
        Object.assign(state, { chosen: which, step: 1 });
    }));
    onInput('turn', value => { state.shapes[state.chosen].turn = Number(value); });
    onInput('step', value => { state.step = Number(value); });
    onInput('far', value => Object.assign(state, { far: Number(value), step: Infinity }));
    globalThis.addEventListener('resize', draw);
}

// Changes the state: dimension, shapes, step, far.
export function choose(change) {
    Object.assign(state, { step: 1 }, change);
    delete state.held;
    const kinds = kindsIn(state.dimension);
    $('dimension').value = state.dimension;
    ['a', 'b'].forEach((id, which) => {
        $(id).replaceChildren(...kinds.map(kind => new Option(kind)));
        if (!kinds.includes(state.shapes[which].kind)) state.shapes[which].kind = 'box';
        $(id).value = state.shapes[which].kind;
    });
    if (state.dimension === 2) state.shapes.forEach(shape => { shape.center[2] = 0; });
}

try {
    library = await load('../built/gjk.wasm');
    renderer = makeRenderer(document.querySelector('canvas'));
    choose({});
    listen(renderer.domElement);
    draw();
    globalThis.page = { state, choose, draw, library, answer: () => answer };
} catch (error) {
    $('error').textContent = String(error);
}
