// Draws the two shapes and the Minkowski difference of their cores with three.js, each in a panel of its own.
import * as THREE from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';

export const colors = { a: 0x2f7fd6, b: 0xe08a2b, difference: 0x8c99a5, simplex: 0xb85c00, newest: 0xd02020,
                        nearest: 0x1668b8, margin: 0x2a8a3a, proof: 0x7a3fb0, origin: 0x20262c };

const circle = Array.from({ length: 180 }, (_, k) => [Math.cos(k * Math.PI / 90), Math.sin(k * Math.PI / 90), 0]);
// Spread evenly over the sphere.
const sphere = Array.from({ length: 700 }, (_, k) => {
    const z = (2 * k + 1) / 700 - 1, r = Math.sqrt(1 - z * z), angle = 2.399963229728653 * k;
    return [r * Math.cos(angle), r * Math.sin(angle), z];
});
export const directionsIn = dimension => dimension === 2 ? circle : sphere;

// three.js draws what may be transparent last.
const onTop = { depthTest: false, transparent: true };
const vector = p => new THREE.Vector3(...p);
const distinct = points => [...new Map(points.map(p => [p.map(x => x.toFixed(7)).join(), p])).values()];

// One panel: a scene of its own that is made anew for each picture.
export class Panel {
    constructor() {
        this.scene = new THREE.Scene();
        this.camera = new THREE.OrthographicCamera();
        this.bodies = new Map();
    }

    begin(dimension, reach) {
        this.scene.traverse(object => { object.geometry?.dispose(); object.material?.dispose(); });
        this.scene.clear();
        this.bodies.clear();
        this.dimension = dimension;
        this.dot = 0.018 * reach;
        const light = new THREE.DirectionalLight(0xffffff, 2);
        light.position.set(3, -4, 6);
        this.scene.add(new THREE.AmbientLight(0xffffff, 1.4), light);
    }

    // The hull of points, of which there may be fewer than a body needs.
    body(name, points, color, opacity) {
        const corners = distinct(points);
        const group = new THREE.Group(), lines = new THREE.LineBasicMaterial({ color });
        if (this.dimension === 2) {
            const fan = new THREE.BufferGeometry().setFromPoints(corners.map(vector));
            fan.setIndex(corners.slice(2).flatMap((_, k) => [0, k + 1, k + 2]));
            group.add(new THREE.Mesh(fan, new THREE.MeshBasicMaterial({ color, transparent: true, opacity,
                                                                        side: THREE.DoubleSide, depthWrite: false })));
            group.add(new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(corners.map(vector)), lines));
        } else {
            const hull = new ConvexGeometry(corners.map(vector));
            group.add(new THREE.Mesh(hull, new THREE.MeshLambertMaterial({ color, transparent: true, opacity,
                                                                           depthWrite: false })));
            group.add(new THREE.LineSegments(new THREE.EdgesGeometry(hull, 25), lines));
        }
        this.bodies.set(name, group);
        this.scene.add(group);
    }

    point(p, color, size = 1) {
        const ball = new THREE.Mesh(new THREE.SphereGeometry(size * this.dot, 16, 12),
                                    new THREE.MeshBasicMaterial({ color, ...onTop }));
        ball.position.set(...p);
        ball.renderOrder = 3;
        this.scene.add(ball);
    }

    // A line as a thin box, since lines of WebGL are one pixel wide.
    line(p, q, color, width = 0.5) {
        const from = vector(p), way = vector(q).sub(from), length = way.length();
        if (!(length > 0)) return;
        const bar = new THREE.Mesh(new THREE.CylinderGeometry(width * this.dot, width * this.dot, length, 8),
                                   new THREE.MeshBasicMaterial({ color, ...onTop }));
        bar.position.copy(from).addScaledVector(way, 0.5);
        bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.divideScalar(length));
        bar.renderOrder = 2;
        this.scene.add(bar);
    }

    arrow(from, direction, length, color) {
        const arrow = new THREE.ArrowHelper(vector(direction).normalize(), vector(from), length, color,
                                            6 * this.dot, 3.5 * this.dot);
        arrow.renderOrder = 3;
        arrow.traverse(({ material }) => { if (material) Object.assign(material, onTop); });
        this.scene.add(arrow);
    }

    triangle(points, color) {
        const geometry = new THREE.BufferGeometry().setFromPoints(points.map(vector));
        this.scene.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({
            color, transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthWrite: false })));
    }

    // The points within `band` of the plane through p across `normal`: a strip, in space a slab.
    slab(p, normal, band, reach, color) {
        const thickness = Math.max(2 * band, 0.3 * this.dot), side = this.dimension === 2 ? 4 * reach : 0.8 * reach;
        const slab = new THREE.Mesh(
            new THREE.BoxGeometry(thickness, side, this.dimension === 2 ? 1e-3 : side),
            new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.3, depthWrite: false }));
        slab.position.set(...p);
        slab.quaternion.setFromUnitVectors(new THREE.Vector3(1, 0, 0), vector(normal).normalize());
        this.scene.add(slab);
    }

    ring(radius, color) {
        const points = circle.map(p => vector(p).multiplyScalar(radius));
        const ring = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(points),
                                        new THREE.LineBasicMaterial({ color }));
        if (this.dimension === 3) ring.quaternion.copy(this.camera.quaternion);
        this.scene.add(ring);
    }

    // Looks at `middle` from the view's angles, so that a ball of radius `reach` around it fits.
    look(middle, reach, { yaw, pitch }, aspect) {
        const flat = this.dimension === 2;
        const out = flat ? [0, 0, 1]
            : [Math.sin(yaw) * Math.cos(pitch), -Math.cos(yaw) * Math.cos(pitch), Math.sin(pitch)];
        const high = reach / Math.min(1, aspect);
        Object.assign(this.camera, { left: -high * aspect, right: high * aspect, top: high, bottom: -high,
                                     near: 0.01, far: 40 * high });
        this.camera.up.set(0, flat ? 1 : 0, flat ? 0 : 1);
        this.camera.position.copy(vector(out)).multiplyScalar(20 * high).add(vector(middle));
        this.camera.lookAt(vector(middle));
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
    }

    // The name of the body at a place of the panel, x and y from -1 to 1.
    pick(x, y) {
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
        const hits = [...this.bodies].map(([name, group]) => [name, ray.intersectObject(group.children[0])[0]])
            .filter(([, hit]) => hit !== undefined).sort(([, p], [, q]) => p.distance - q.distance);
        return hits[0]?.[0];
    }

    // By what a body moves when the pointer moves by that much of the panel.
    motion(dx, dy) {
        const { right, top, matrixWorld } = this.camera;
        const x = new THREE.Vector3().setFromMatrixColumn(matrixWorld, 0);
        const y = new THREE.Vector3().setFromMatrixColumn(matrixWorld, 1);
        return x.multiplyScalar(dx * right).addScaledVector(y, dy * top).toArray();
    }
}

export const makeRenderer = canvas => {
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    renderer.setClearColor(0xf4f6f8);
    renderer.setScissorTest(true);
    return renderer;
};
