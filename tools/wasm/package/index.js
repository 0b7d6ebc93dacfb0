// lanecull for JavaScript. index.d.ts is the manual.

import * as batches from './batches.js';
import { Core, loadAs } from './core.js';
import { LightCells, Lights } from './lights.js';
import { Occluders } from './occluders.js';
import { Solids } from './solids.js';

export { LanecullError, alwaysVisible, disabled, floatAbove, floatBelow, webgl, webgpu } from './core.js';

export const load = ({ wasm = new URL('lanecull.wasm', import.meta.url), memoryBytes } = {}) =>
    loadAs(Lanecull, wasm, memoryBytes);

class Lanecull extends Core {
    createCenteredBoxes(count, options) {
        return batches.createCenteredBoxes(this.memory, count, options);
    }
    createOrientedBoxes(count, options) {
        return batches.createOrientedBoxes(this.memory, count, options);
    }
    createCapsules(count, options) {
        return batches.createCapsules(this.memory, count, options);
    }
    createCylinders(count, options) {
        return batches.createCylinders(this.memory, count, options);
    }
    createCones(count, options) {
        return batches.createCones(this.memory, count, options);
    }
    createEllipsoids(count, options) {
        return batches.createEllipsoids(this.memory, count, options);
    }
    createHullInstances(count, hulls, options) {
        return batches.createHullInstances(this.memory, count, hulls, options);
    }

    createOccluders(capacity) {
        return new Occluders(this.memory, this.args, capacity);
    }
    createSolids(count) {
        return new Solids(this.memory, count);
    }
    createLights(options) {
        return new Lights(this.memory, options);
    }
    createLightCells(lights, options) {
        return new LightCells(this.memory, this.args, lights, options);
    }
}
