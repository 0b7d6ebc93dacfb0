// A city of 100,000 instances of five kinds: pavements, buildings, trees, lamps and cars. The same every time.

import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { facadeMaterial } from './facade.js';
import { makeRandom } from './random.js';

export const instanceCount = 100_000;
export const blocks = 56;   // along each side
export const pitch = 88;    // metres from street to street
const street = 18;          // their width
const half = (pitch - street) / 2;

const random = makeRandom(2026);
const between = (low, high) => low + (high - low) * random();
const oneOf = list => list[Math.floor(list.length * random())];

// The instances of one kind: where, how large, turned by how much, in which colour.
class Kind {
    constructor(name, geometry, material) {
        Object.assign(this, { name, geometry, material, matrices: [], colors: [] });
    }

    add(x, y, z, size, turn, color) {
        const rotation = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), turn);
        this.matrices.push(new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), rotation, size));
        this.colors.push(new THREE.Color(color).offsetHSL(0, 0, between(-0.03, 0.03)));
    }

    makeMesh() {
        const mesh = new THREE.InstancedMesh(this.geometry, this.material, this.matrices.length);
        this.matrices.forEach((matrix, i) => mesh.setMatrixAt(i, matrix));
        this.colors.forEach((color, i) => mesh.setColorAt(i, color));
        mesh.name = this.name;
        return mesh;
    }
}

// Geometries that stand on y = 0, with a colour for each part, by which the instance's colour is multiplied.
function parts(...list) {
    return mergeGeometries(list.map(([geometry, y, color]) => {
        geometry.translate(0, y, 0);
        const { r, g, b } = new THREE.Color(color), count = geometry.attributes.position.count;
        const colors = Float32Array.from({ length: 3 * count }, (_, i) => [r, g, b][i % 3]);
        geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
        return geometry.index === null ? geometry : geometry.toNonIndexed();
    }));
}
const box = (x, y, z) => new THREE.BoxGeometry(x, y, z);

function makeKinds() {
    const plain = new THREE.MeshLambertMaterial();
    const colored = new THREE.MeshLambertMaterial({ vertexColors: true });
    const tree = parts([new THREE.CylinderGeometry(0.18, 0.25, 2.4, 5, 1, true), 1.2, '#6b4f3a'],
                       [new THREE.IcosahedronGeometry(1.9, 0).scale(1, 1.25, 1), 4.1, '#ffffff']);
    const lamp = parts([box(0.16, 7, 0.16), 3.5, '#40454c'], [box(1.5, 0.16, 0.3).translate(0.7, 0, 0), 7, '#e8dcb0']);
    const car = parts([box(4.3, 0.75, 1.8), 0.7, '#ffffff'], [box(2.3, 0.6, 1.6), 1.35, '#39424e']);
    return {
        pavements: new Kind('pavements', box(1, 1, 1).translate(0, 0.5, 0), plain),
        buildings: new Kind('buildings', box(1, 1, 1).translate(0, 0.5, 0), facadeMaterial()),
        trees: new Kind('trees', tree, colored),
        lamps: new Kind('lamps', lamp, colored),
        cars: new Kind('cars', car, colored),
    };
}

const facades = ['#c9b79c', '#b7a48b', '#a9655a', '#8f9aa6', '#d8d2c4', '#7f8d98', '#c4a77d', '#9c7f74', '#aeb9c2'];
const paints = ['#c8323a', '#f2f2ee', '#6b7178', '#4b86c4', '#b4bac0', '#e0ae48', '#5f9070'];
const leaves = ['#5f8f4a', '#739c4f', '#4d7f49', '#8aa653'];
const sized = (x, y, z) => new THREE.Vector3(x, y, z);

function addTree(trees, x, z) {
    const size = between(0.8, 1.5);
    trees.add(x, 0.2, z, sized(size, size * between(0.9, 1.3), size), between(0, 6), oneOf(leaves));
}

// Four to nine houses in a block, taller towards the city's centre.
function addHouses(buildings, x, z, near) {
    const rows = near > 0.6 ? 2 : 3, lot = 2 * (half - 3) / rows;
    for (let i = 0; i < rows; ++i) {
        for (let j = 0; j < rows; ++j) {
            if (random() < 0.08) continue;
            const height = between(8, 20) + (random() < 0.25 + near ? between(0, 170) * near ** 3 : 0);
            const at = k => (k - (rows - 1) / 2) * lot;
            const size = sized(lot * between(0.7, 0.94), height, lot * between(0.7, 0.94));
            buildings.add(x + at(i), 0.2, z + at(j), size, 0, oneOf(facades));
        }
    }
}

// Lamps, trees and cars along one street; place(along, side): where that is, in the world.
function addStreet({ lamps, cars, trees }, turn, place) {
    for (let along = -half; along < half; along += 23) {
        const [x, z] = place(along, half + 1);
        lamps.add(x, 0, z, sized(1, 1, 1), turn + Math.PI / 2, '#ffffff');
        if (random() < 0.7) addTree(trees, ...place(along + 8, half - 1.2));
    }
    for (let along = -half; along < half; along += 12) {
        if (random() < 0.55) continue;
        const [x, z] = place(along + between(-2, 2), half + oneOf([4, 8, 12]));
        cars.add(x, 0, z, sized(1, 1, 1), turn, oneOf(paints));
    }
}

export function makeCity() {
    const kinds = makeKinds(), { pavements, buildings, trees } = kinds;
    for (let i = 0; i < blocks; ++i) {
        for (let j = 0; j < blocks; ++j) {
            const x = (i - blocks / 2 + 0.5) * pitch, z = (j - blocks / 2 + 0.5) * pitch;
            const near = Math.max(0, 1 - Math.hypot(x, z) / (pitch * blocks / 2));
            const park = random() < 0.12;
            pavements.add(x, 0, z, sized(2 * half, 0.2, 2 * half), 0, park ? '#7d9a62' : '#a7a49c');
            if (park) {
                for (let k = 0; k < 45; ++k) addTree(trees, x + between(-half, half), z + between(-half, half));
            } else {
                addHouses(buildings, x, z, near);
            }
            addStreet(kinds, 0, (along, side) => [x + along, z + side]);
            addStreet(kinds, Math.PI / 2, (along, side) => [x + side, z - along]);
        }
    }
    // As many trees more around the city, or fewer, as make the number round.
    const total = () => Object.values(kinds).reduce((sum, { matrices }) => sum + matrices.length, 0);
    while (total() < instanceCount) {
        const angle = between(0, 2 * Math.PI), radius = pitch * blocks * between(0.72, 0.85);
        addTree(trees, radius * Math.cos(angle), radius * Math.sin(angle));
    }
    trees.matrices.length -= total() - instanceCount;
    return Object.values(kinds).map(kind => kind.makeMesh());
}
