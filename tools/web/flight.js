// The camera: along a course through the streets, until someone takes the controls.

import * as THREE from 'three';
import { pitch } from './city.js';

// Crossings of streets, and heights.
const crossings = [[-9, -8, 9], [-4, -8, 12], [-4, -2, 14], [1, -2, 45], [1, 5, 95], [7, 5, 60], [7, -5, 16],
                   [0, -5, 10], [0, -12, 30], [-9, -12, 20]];
const course = new THREE.CatmullRomCurve3(
    crossings.map(([i, j, height]) => new THREE.Vector3(i * pitch, height, j * pitch)), true, 'catmullrom', 0.05);
const metresASecond = 22;
const keys = {
    KeyW: [0, 0, -1], KeyS: [0, 0, 1], KeyA: [-1, 0, 0], KeyD: [1, 0, 0], KeyQ: [0, -1, 0], KeyE: [0, 1, 0],
};

export class Flight {
    #pressed = new Set();
    #along = 0;

    constructor(camera, element) {
        this.camera = camera;
        this.isAutomatic = true;
        camera.rotation.order = 'YXZ';
        addEventListener('keydown', ({ code }) => {
            if (code === 'KeyC') this.isAutomatic = true;
            if (!(code in keys)) return;
            this.isAutomatic = false;
            this.#pressed.add(code);
        });
        addEventListener('keyup', ({ code }) => this.#pressed.delete(code));
        addEventListener('blur', () => this.#pressed.clear());
        element.addEventListener('pointermove', ({ buttons, movementX, movementY }) => {
            if (buttons === 0) return;
            this.isAutomatic = false;
            camera.rotation.y -= movementX / 300;
            camera.rotation.x = Math.max(-1.5, Math.min(1.5, camera.rotation.x - movementY / 300));
        });
        this.goTo(0);
    }

    // part: 0 to 1 of the course.
    goTo(part) {
        const { camera } = this;
        this.#along = part;
        course.getPointAt(part, camera.position);
        const ahead = course.getPointAt((part + 0.015) % 1);
        camera.lookAt(ahead.x, 0.85 * ahead.y, ahead.z);
    }

    move(seconds) {
        if (this.isAutomatic) {
            this.goTo((this.#along + seconds * metresASecond / course.getLength()) % 1);
            return;
        }
        const step = new THREE.Vector3();
        for (const code of this.#pressed) step.add(new THREE.Vector3(...keys[code]));
        this.camera.position.add(step.applyQuaternion(this.camera.quaternion).multiplyScalar(60 * seconds));
        this.camera.position.y = Math.max(1.7, this.camera.position.y);
    }
}
