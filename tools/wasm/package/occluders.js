// Solids behind which objects are culled, all seen from one viewpoint.

import { Owner, Struct, checkCount, numberOf, refuse, wordsOf } from './memory.js';
import { enums, layouts } from './layouts.js';
import { checkFloats, floatAbove, floatBelow, writeBox } from './rounding.js';

const sights = wordsOf('sight');
const mostChosen = 64;
const refusals = [null, 'no-viewpoint', 'invalid', 'encloses-eye', 'near', 'too-thin', 'too-many-facets'];

function writeRaster(options, { perDistance = 0, depthPerSquare = 0, depthPerDistance = 0 }) {
    options.set('raster.per_distance', perDistance);
    options.set('raster.depth_per_square', depthPerSquare);
    options.set('raster.depth_per_distance', depthPerDistance);
}

export class Occluders extends Owner {
    constructor(memory, args, capacity) {
        super(memory, 'occluders');
        this.args = args;
        this.capacity = checkCount(capacity, 0xffffffff, 'capacity');
        this.count = 0;
        this.address = this.allocate(layouts.occluder.bytes * capacity);
        this.viewpoint = this.struct('viewpoint');
        this.owners = this.allocate(layouts.owner.bytes * capacity);
        this.options = this.struct('occluder_options');
        this.drawn = this.struct('solid_box');
        this.box = this.struct('solid_box');
        this.orientedBox = this.struct('solid_oriented_box');
    }

    // A new viewpoint forgets all solids.
    #setViewpoint(name, ...given) {
        this.checkAlive();
        this.memory.call(name, ...given, this.viewpoint.address);
        this.count = 0;
    }

    setViewpoint(clipFromWorld, clipSpace, { clipPlanes = [], sight = 'growing-depth' } = {}) {
        const { args } = this;
        const count = args.clipPlanes.write(clipPlanes, 'clipPlanes');
        this.#setViewpoint('prepare_viewpoint', args.writeNumbers(clipFromWorld, 16, 'clipFromWorld'),
                           args.writeClipSpace(clipSpace), args.clipPlanes.address, count,
                           numberOf(sight, sights, 'sight'));
    }

    setViewpointFromEyes(eyes, nearReach) {
        checkCount(eyes?.length / 3, 8, 'the number of eyes');
        this.#setViewpoint('prepare_viewpoint_from_eyes', this.args.writeNumbers(eyes, eyes.length, 'eyes'),
                           eyes.length, nearReach);
    }

    setViewpointAlong(direction, around) {
        const { args } = this;
        this.#setViewpoint('prepare_viewpoint_along', args.writeNumbers(direction, 3, 'direction'),
                           args.writeNumbers(around, 3, 'around', 3));
    }

    #writeOptions({ drawn, ...raster }) {
        const { options } = this;
        options.clear();
        writeRaster(options, raster);
        if (drawn !== undefined) {
            writeBox(this.drawn, drawn, floatBelow, floatAbove, 'options.drawn.');
            options.set('drawn', this.drawn.address);
        }
        return options.address;
    }

    #writeOwner(occluder, { batch, object }) {
        const owner = new Struct(this.memory, 'owner', this.owners + layouts.owner.bytes * this.count);
        owner.set('batch', checkCount(batch, 0xffffffff, 'options.owner.batch'));
        owner.set('object', checkCount(object, 0xffffffff, 'options.owner.object'));
        occluder.setSpan('owners', owner.address, 1);
    }

    // Prepares the next occluder from what `solid` has written. Returns null, or why it hides nothing.
    #add(name, options = {}, ...solid) {
        if (this.count === this.capacity) refuse(`occluders: there is room for ${this.capacity} only`);
        const occluder = new Struct(this.memory, 'occluder', this.address + layouts.occluder.bytes * this.count);
        if (options.owner !== undefined) this.#writeOwner(occluder, options.owner);
        const refusal = this.memory.exports[`lanecull_prepare_occluder_${name}`](
            ...solid, this.viewpoint.address, this.#writeOptions(options), occluder.address);
        if (refusal === enums.refusal.none) ++this.count;
        return refusals[refusal];
    }

    addBox(min, max, options) {
        this.checkAlive();
        writeBox(this.box, { min, max }, floatAbove, floatBelow);
        return this.#add('box', options, this.box.address);
    }

    addOrientedBox(center, halfExtents, axes, options) {
        this.checkAlive();
        const why = 'rounded so that the solid stays inside of what is drawn';
        this.orientedBox.setArray('center', checkFloats(center, 3, 'center', why));
        this.orientedBox.setArray('half_extents', checkFloats(halfExtents, 3, 'halfExtents', why));
        this.orientedBox.setArray('axes', checkFloats(axes, 9, 'axes', why));
        return this.#add('oriented_box', options, this.orientedBox.address);
    }

    addPolytope(planes, options) {
        this.checkAlive();
        const count = this.args.planes.write(planes, 'planes');
        return this.#add('planes', options, this.args.planes.address, count);
    }

    // Takes those of the solids that are expected to hide most of view i, in place of all before. Returns their numbers.
    choose(solids, views, i, raster = {}) {
        for (const one of [this, solids, views]) one.checkAlive();
        const { numbers, options, set } = solids, most = Math.min(this.capacity, mostChosen);
        writeRaster(options, raster);
        this.memory.call('choose_occluders', set.address, views.addressOf(i), this.viewpoint.address, options.address,
                         this.address, most, numbers.address, most, solids.scratch, solids.scratchBytes,
                         numbers.address + 4 * mostChosen);
        this.count = numbers.current()[mostChosen];
        return numbers.current().subarray(0, this.count);
    }
}
