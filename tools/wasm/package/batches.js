// Batches: objects of one kind, as arrays in the module's memory, which the caller fills.

import { Owner, checkCount, numberOf, refuse, wordsOf } from './memory.js';
import { enums, layouts } from './layouts.js';
import { checkFloats } from './rounding.js';

// min_x -> minX
export const camel = name => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const corners = ['min_x', 'min_y', 'min_z', 'max_x', 'max_y', 'max_z'];
const center = ['x', 'y', 'z'];
const plainKinds = {
    spheres: [...center, 'radius'],
    boxes: corners,
    centered_boxes: [...center, 'half_x', 'half_y', 'half_z'],
    capsules: ['a_x', 'a_y', 'a_z', 'b_x', 'b_y', 'b_z', 'radius'],
    cylinders: ['a_x', 'a_y', 'a_z', 'b_x', 'b_y', 'b_z', 'radius'],
    cones: ['apex_x', 'apex_y', 'apex_z', 'base_x', 'base_y', 'base_z', 'radius'],
};

const attributeTypes = {
    margin: 'f32', sweep_x: 'f32', sweep_y: 'f32', sweep_z: 'f32', flags: 'u32', layers: 'u32', max_distance: 'f32',
    min_projected_size: 'f32', min_distance: 'f32',
};
// What an attribute is of before the caller fills it: nothing that it could change.
const neutral = { layers: 0xffffffff, max_distance: Infinity };
const attributeNames = Object.fromEntries(Object.keys(attributeTypes).map(name => [camel(name), name]));

const transformLayouts = {
    'rows-3x4': [enums.transform_layout.rows_3x4, 12],
    'columns-3x4': [enums.transform_layout.columns_3x4, 12],
    'rows-4x4': [enums.transform_layout.rows_4x4, 16],
    'columns-4x4': [enums.transform_layout.columns_4x4, 16],
};

const coneEnds = wordsOf('cone_end');

export class Batch extends Owner {
    #count;
    #struct;
    #shapes;  // where the fields of its kind are in the struct
    #counted = [];  // fields that are the number of objects

    constructor(memory, kind, count) {
        super(memory, camel(kind));
        checkCount(count, 0xffffffff, 'count');
        this.capacity = count;
        this.#struct = this.struct('batch');
        this.#struct.set('kind', enums.kind[kind]);
        this.#shapes = `shapes.${kind}`;
        this.countIn('count');
    }

    // From now on that field of its kind is the number of objects.
    countIn(field) {
        this.#counted.push(`${this.#shapes}.${field}`);
        this.count = this.#count ?? this.capacity;
    }

    // How many of the objects there are, at most `capacity`.
    get count() {
        return this.#count;
    }
    set count(count) {
        this.checkAlive();
        this.#count = checkCount(count, this.capacity, 'count');
        for (const field of this.#counted) this.#struct.set(field, count);
    }

    // Writes the struct of this batch to element i of a list. Called by Cull.
    give(list, i) {
        this.checkAlive();
        const { address } = this.#struct, { bytes } = layouts.batch;
        this.memory.u8.copyWithin(list + i * bytes, address, address + bytes);
    }

    // The same with as many objects as there ever may be.
    giveWhole(list, i) {
        const { count } = this;
        this.count = this.capacity;
        this.give(list, i);
        this.count = count;
    }

    // Adds the property NAME, an array of `length` numbers, which `field` of its kind points to.
    addStream(name, type, length, field = name) {
        this.#addArray(name, type, length, `${this.#shapes}.${field}`);
    }

    // folder: the struct in that of its kind, and a dot.
    addStreams(names, type, length, folder = '') {
        for (const name of names) this.addStream(name, type, length, folder + name);
    }

    #addArray(name, type, length, field) {
        const { address, current } = this.array(type, length);
        this.#struct.set(field, address);
        Object.defineProperty(this, camel(name), { get: current, enumerable: true });
    }

    addAttributes(chosen = []) {
        if (!Array.isArray(chosen)) refuse('attributes: must be an array of names');
        for (const given of chosen) {
            const name = numberOf(given, attributeNames, 'attributes');
            this.#addArray(name, attributeTypes[name], this.capacity, `attributes.${name}`);
            this[given].fill(neutral[name] ?? 0);
        }
    }

    addTransforms(layout) {
        const [number, length] = numberOf(layout, transformLayouts, 'transforms');
        this.setShapes('transforms.layout', number);
        this.addStream('transforms', 'f32', length * this.capacity, 'transforms.first');
    }

    // A field of its kind, for what the functions below add.
    setShapes(field, value) {
        this.#struct.set(`${this.#shapes}.${field}`, value);
    }
}

// The batch after `steps`, or nothing of it where one of them fails.
function build(batch, steps) {
    try {
        steps(batch);
        return batch;
    } catch (error) {
        batch.destroy();
        throw error;
    }
}

function createPlain(memory, kind, count, { attributes } = {}) {
    return build(new Batch(memory, kind, count), batch => {
        batch.addStreams(plainKinds[kind], 'f32', count);
        batch.addAttributes(attributes);
    });
}

export const createSpheres = (memory, count, options) => createPlain(memory, 'spheres', count, options);
export const createBoxes = (memory, count, options) => createPlain(memory, 'boxes', count, options);
export const createCenteredBoxes = (memory, count, options) => createPlain(memory, 'centered_boxes', count, options);
export const createCapsules = (memory, count, options) => createPlain(memory, 'capsules', count, options);
export const createCylinders = (memory, count, options) => createPlain(memory, 'cylinders', count, options);
export function createCones(memory, count, { end = 'flat', attributes } = {}) {
    return build(createPlain(memory, 'cones', count, { attributes }),
                 batch => batch.setShapes('end', numberOf(end, coneEnds, 'end')));
}

export function createEllipsoids(memory, count, { boundingRadius, attributes } = {}) {
    return build(new Batch(memory, 'ellipsoids', count), batch => {
        batch.addStreams(center, 'f32', count);
        batch.addStream('quaternions', 'f32', 4 * count, 'quaternions.first');
        batch.addStream('half_axes', 'f32', 3 * count, 'half_axes.first');
        if (boundingRadius) batch.addStream('bounding_radius', 'f32', count);
        batch.addAttributes(attributes);
    });
}

export function createOrientedBoxes(memory, count, { orientation = 'quaternions', boundingRadius, attributes } = {}) {
    return build(new Batch(memory, 'oriented_boxes', count), batch => {
        const length = numberOf(orientation, { axes: 9, quaternions: 4 }, 'orientation');
        batch.addStreams(center, 'f32', count);
        batch.addStream(orientation, 'f32', length * count, `${orientation}.first`);
        batch.addStream('half_extents', 'f32', 3 * count, 'half_extents.first');
        if (boundingRadius) batch.addStream('bounding_radius', 'f32', count);
        batch.addAttributes(attributes);
    });
}

// boxes: how many boxes the instances share by boxIndex; undefined: each has its own.
export function createBoxInstances(memory, count, { boxes, transforms, attributes } = {}) {
    return build(new Batch(memory, 'box_instances', count), batch => {
        const boxCount = boxes === undefined ? count : checkCount(boxes, 0xffffffff, 'boxes');
        batch.addStreams(corners, 'f32', boxCount, 'local.boxes.');
        if (boxes === undefined) {
            batch.countIn('local.boxes.count');
        } else {
            batch.setShapes('local.boxes.count', boxCount);
            batch.addStream('box_index', 'u32', count, 'local.box_index');
        }
        batch.addTransforms(transforms);
        batch.addAttributes(attributes);
    });
}

// hulls: for each, x y z of one vertex after the other.
export function createHullInstances(memory, count, hulls, { transforms, boundingSpheres, attributes } = {}) {
    return build(new Batch(memory, 'hull_instances', count), batch => {
        if (!Array.isArray(hulls) || hulls.length === 0) refuse('hulls: must be an array of at least one');
        const bytes = layouts.hull.bytes;
        const row = batch.allocate(hulls.length * bytes);
        hulls.forEach((vertices, k) => prepareHull(batch, vertices, row + k * bytes, `hulls[${k}]`));
        batch.setShapes('hulls', row);
        batch.setShapes('hull_count', hulls.length);
        if (hulls.length > 1) batch.addStream('hull_index', 'u32', count);
        if (boundingSpheres) {
            batch.addStreams(['bounding_x', 'bounding_y', 'bounding_z', 'bounding_radius'], 'f32', count);
        }
        batch.addTransforms(transforms);
        batch.addAttributes(attributes);
    });
}

function prepareHull(batch, vertices, address, name) {
    checkFloats(vertices, 3 * Math.floor(vertices?.length / 3), name, 'rounded as the caller likes: the hull is of them');
    const count = vertices.length / 3;
    const axes = [0, 1, 2].map(axis => {
        const { address, current } = batch.array('f32', count);
        current().forEach((_, i, to) => { to[i] = vertices[3 * i + axis]; });
        return address;
    });
    batch.memory.call('prepare_hull', ...axes, count, address);
}
