// Draws the city, culled in the way that was chosen, and shows what each way takes.

import * as THREE from 'three';
import { load } from 'lanecull';
import { InstancedCulling } from 'lanecull/three';
import { instanceCount, makeCity } from './city.js';
import { night } from './facade.js';
import { Flight } from './flight.js';
import { Lamps } from './lamps.js';
import { Hiders } from './solids.js';
import { cullByLanecull, cullWithOccluders, drawAll, loopOfBoxes, loopOfObjects } from './ways.js';
import { Table } from './table.js';

const haze = '#dfe4e6';
const day = { haze, sky: 1.5, sun: 2.6 };
const dark = { haze: '#0b1018', sky: 0.16, sun: 0.12 };

function makeScene(meshes) {
    const scene = new THREE.Scene();
    scene.fog = new THREE.FogExp2(haze, 0.00085);
    scene.sky = new THREE.HemisphereLight('#cfe0ff', '#8a7f70');
    scene.sun = new THREE.DirectionalLight('#ffdfb0');
    scene.sun.position.set(-0.6, 0.55, 0.45);
    const asphalt = new THREE.MeshLambertMaterial({ color: '#6a6c70' });
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(20000, 20000), asphalt);
    ground.rotation.x = -Math.PI / 2;
    ground.position.y = -0.05;
    scene.add(scene.sky, scene.sun, ground, ...meshes);
    return scene;
}

// From the horizon's haze to blue.
function skyTexture() {
    const canvas = document.createElement('canvas');
    canvas.width = 4;
    canvas.height = 512;
    const context = canvas.getContext('2d'), gradient = context.createLinearGradient(0, 0, 0, 512);
    const stops = [[0, '#4f86c6'], [0.35, '#9fc0e3'], [0.5, haze], [1, haze]];
    for (const [at, color] of stops) gradient.addColorStop(at, color);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 4, 512);
    const texture = new THREE.CanvasTexture(canvas);
    texture.mapping = THREE.EquirectangularReflectionMapping;
    texture.colorSpace = THREE.SRGBColorSpace;
    return texture;
}

class Page {
    constructor(lanecull) {
        this.renderer = new THREE.WebGLRenderer({ antialias: true, canvas: document.querySelector('canvas'),
                                                  preserveDrawingBuffer: true });
        const meshes = makeCity();
        this.scene = makeScene(meshes);
        this.camera = new THREE.PerspectiveCamera(60, 1, 0.5, 4000);
        this.flight = new Flight(this.camera, this.renderer.domElement);
        // The camera that decides what is culled: the one above, or where that was when it was frozen.
        this.frozen = new THREE.PerspectiveCamera();
        this.outline = new THREE.CameraHelper(this.frozen);
        this.outline.visible = false;
        this.scene.add(this.frozen, this.outline);

        const boxes = loopOfBoxes(meshes), objects = loopOfObjects(meshes);
        this.cullings = meshes.map(mesh => new InstancedCulling(lanecull, mesh));
        const inOrder = meshes.map(mesh => new InstancedCulling(lanecull, mesh, { order: 'front-to-back' }));
        const named = wanted => this.cullings.find(({ mesh }) => mesh.name === wanted);
        this.hiders = new Hiders(lanecull, named('buildings'));
        this.lamps = new Lamps(lanecull, named('lamps').mesh, this.camera);
        const lit = new Set();
        this.scene.traverse(({ material }) => { if (material?.isMeshLambertMaterial) lit.add(material); });
        for (const material of lit) this.lamps.shineOn(material);
        this.ways = {
            lanecull: { title: 'lanecull', cull: cullByLanecull(this.cullings) },
            occluders: { title: 'lanecull, with occluders', cull: cullWithOccluders(this.cullings, this.hiders) },
            ordered: { title: 'the same, front to back', cull: cullWithOccluders(inOrder, this.hiders) },
            three: { title: 'three.js, a loop of intersectsBox', cull: boxes },
            objects: { title: 'three.js, a loop of intersectsObject', cull: objects },
            none: { title: 'not at all', cull: drawAll(this.cullings) },
        };
        this.way = 'lanecull';
        this.table = new Table(this.ways, instanceCount, name => { this.way = name; });
        addEventListener('resize', () => this.resize());
        addEventListener('keydown', ({ code }) => {
            if (code === 'KeyF') this.freeze(!this.outline.visible);
            if (code === 'KeyN') this.setNight(!this.isNight);
            const name = Object.keys(this.ways)[Number(/^Digit([1-9])$/.exec(code)?.[1]) - 1];
            if (name !== undefined) this.table.choose(name);
        });
        this.setNight(false);
        this.resize();
    }

    resize() {
        const { camera, renderer } = this;
        renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        renderer.setSize(innerWidth, innerHeight);
        camera.aspect = innerWidth / innerHeight;
        camera.pixelWidth = renderer.domElement.width;
        camera.pixelHeight = renderer.domElement.height;
        camera.updateProjectionMatrix();
    }

    setNight(yes) {
        const { scene } = this, { haze, sky, sun } = yes ? dark : day;
        this.isNight = yes;
        night.value = yes ? 1 : 0;
        scene.background = yes ? new THREE.Color(haze) : this.sky ??= skyTexture();
        scene.fog.color.set(haze);
        scene.sky.intensity = sky;
        scene.sun.intensity = sun;
    }

    freeze(yes) {
        this.frozen.copy(this.camera, false);
        this.frozen.pixelHeight = this.camera.pixelHeight;
        this.frozen.updateMatrixWorld();
        this.outline.update();
        this.outline.visible = yes;
    }

    // The instances of each mesh that the way would draw. Notes how long it took.
    cull(name) {
        const camera = this.outline.visible ? this.frozen : this.camera;
        camera.updateWorldMatrix(true, false);
        const start = performance.now();
        const lists = this.ways[name].cull(camera);
        this.table.note(name, performance.now() - start, lists.reduce((sum, { length }) => sum + length, 0));
        return lists;
    }

    // With occluders, lamps that these hide light nothing that is seen.
    draw() {
        const lists = this.cull(this.way);
        const hides = !this.outline.visible && (this.way === 'occluders' || this.way === 'ordered');
        if (this.isNight) this.lamps.update(hides ? this.hiders.occluders : null);
        this.table.noteLamps(this.isNight ? this.lamps : null);
        this.cullings.forEach((culling, k) => culling.show(lists[k]));
        this.renderer.render(this.scene, this.camera);
    }

    run() {
        let before, frames = 0;
        this.renderer.setAnimationLoop(now => {
            before ??= now;  // a frame's time is that of its begin, which may be before this call
            this.flight.move(Math.min(0.1, (now - before) / 1000));
            this.draw();
            this.table.noteFrame(this.way, now - before);
            before = now;
            // The other ways are asked in turn, for the table alone.
            const others = Object.keys(this.ways).filter(name => name !== this.way);
            if (++frames % 4 === 0) this.cull(others[frames / 4 % others.length]);
            if (frames % 15 === 0) this.table.show();
        });
    }
}

try {
    globalThis.page = new Page(await load({ wasm: 'whole.wasm' }));
    if (location.hash !== '#still') globalThis.page.run();
} catch (error) {
    document.querySelector('#error').textContent = String(error);
    throw error;
}
