// Solids behind which objects are culled, all seen from one viewpoint.

import { Owner, checkCount, numberOf, refuse } from './memory.js';
import { layouts, numbers } from './layouts.js';
import { checkFloats, floatAbove, floatBelow, writeBox } from './rounding.js';

const sights = { 'growing-depth': numbers.SIGHT_GROWING_DEPTH, 'shrinking-depth': numbers.SIGHT_SHRINKING_DEPTH };
const refusals = [null, 'no-viewpoint', 'invalid', 'encloses-eye', 'near', 'too-thin', 'too-many-facets'];

export class Occluders extends Owner {
    constructor(memory, args, capacity) {
        super(memory, 'occluders');
        this.args = args;
        this.capacity = checkCount(capacity, 0xffffffff, 'capacity');
        this.count = 0;
        this.address = this.create('occluders', capacity);
        this.owners = this.allocate(layouts.owner.bytes * capacity);
        this.options = this.struct('occluder_options');
        this.drawn = this.struct('solid_box');
        this.box = this.struct('solid_box');
        this.orientedBox = this.struct('solid_oriented_box');
    }

    // A new viewpoint forgets all solids.
    #setViewpoint(name, ...given) {
        this.checkAlive();
        this.memory.call(name, this.address, ...given);
        this.count = 0;
    }

    setViewpoint(clipFromWorld, clipSpace, { clipPlanes = [], sight = 'growing-depth' } = {}) {
        const { args } = this;
        const count = args.clipPlanes.write(clipPlanes, 'clipPlanes');
        this.#setViewpoint('set_viewpoint', args.writeNumbers(clipFromWorld, 16, 'clipFromWorld'),
                           args.writeClipSpace(clipSpace), args.clipPlanes.address, count,
                           numberOf(sight, sights, 'sight'));
    }

    setViewpointFromEyes(eyes, nearReach) {
        checkCount(eyes?.length / 3, 8, 'the number of eyes');
        this.#setViewpoint('set_viewpoint_from_eyes', this.args.writeNumbers(eyes, eyes.length, 'eyes'),
                           eyes.length / 3, nearReach);
    }

    setViewpointAlong(direction, around) {
        const { args } = this;
        this.#setViewpoint('set_viewpoint_along', args.writeNumbers(direction, 3, 'direction'),
                           args.writeNumbers(around, 3, 'around', 3));
    }

    #writeOptions({ drawn, perDistance = 0, depthPerSquare = 0, depthPerDistance = 0, owner }) {
        const { options, memory } = this;
        options.clear();
        options.set('per_distance', perDistance);
        options.set('depth_per_square', depthPerSquare);
        options.set('depth_per_distance', depthPerDistance);
        if (drawn !== undefined) {
            writeBox(this.drawn, drawn, floatBelow, floatAbove, 'options.drawn.');
            options.set('drawn', this.drawn.address);
        }
        if (owner !== undefined) {
            const at = this.owners + layouts.owner.bytes * this.count;
            memory.u32[at / 4] = checkCount(owner.batch, 0xffffffff, 'options.owner.batch');
            memory.u32[at / 4 + 1] = checkCount(owner.object, 0xffffffff, 'options.owner.object');
            options.set('owners', at);
            options.set('owner_count', 1);
        }
        return options.address;
    }

    // Prepares the next occluder from what `solid` has written. Returns null, or why it hides nothing.
    #add(name, options = {}, ...solid) {
        if (this.count === this.capacity) refuse(`occluders: there is room for ${this.capacity} only`);
        const { memory } = this;
        memory.call(name, this.address, this.count, ...solid, this.#writeOptions(options), memory.result);
        const refusal = memory.u32[memory.result / 4];
        if (refusal === numbers.REFUSED_NOT) ++this.count;
        return refusals[refusal];
    }

    addBox(min, max, options) {
        this.checkAlive();
        writeBox(this.box, { min, max }, floatAbove, floatBelow);
        return this.#add('prepare_box_occluder', options, this.box.address);
    }

    addOrientedBox(center, halfExtents, axes, options) {
        this.checkAlive();
        const why = 'rounded so that the solid stays inside of what is drawn';
        this.orientedBox.setArray('center', checkFloats(center, 3, 'center', why));
        this.orientedBox.setArray('half_extents', checkFloats(halfExtents, 3, 'halfExtents', why));
        this.orientedBox.setArray('axes', checkFloats(axes, 9, 'axes', why));
        return this.#add('prepare_oriented_box_occluder', options, this.orientedBox.address);
    }

    addPolytope(planes, options) {
        this.checkAlive();
        const count = this.args.planes.write(planes, 'planes');
        return this.#add('prepare_polytope_occluder', options, this.args.planes.address, count);
    }
}
