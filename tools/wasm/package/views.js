// A list of views, each prepared from a matrix or from what else has a volume.

import { Owner, checkCount, refuse } from './memory.js';
import { layouts } from './layouts.js';

export class Views extends Owner {
    constructor(memory, args, count) {
        super(memory, 'views');
        this.args = args;
        this.count = checkCount(count, 0xffffffff, 'count');
        this.address = this.allocate(layouts.view.bytes * count);
    }

    // Of view i's struct.
    addressOf(i) {
        this.checkAlive();
        if (checkCount(i, 0xffffffff, 'i') >= this.count) refuse(`i: ${i} is not below ${this.count}`);
        return this.address + i * layouts.view.bytes;
    }

    #prepare(name, i, ...given) {
        this.memory.call(name, ...given, this.addressOf(i));
    }

    prepare(i, clipFromWorld, clipSpace, options) {
        const { args } = this;
        this.#prepare('prepare_view', i, args.writeNumbers(clipFromWorld, 16, 'clipFromWorld'),
                      args.writeClipSpace(clipSpace), args.writeOptions(options));
    }

    prepareStereo(i, left, right, clipSpace, options) {
        const { args } = this;
        this.#prepare('prepare_stereo_view', i, args.writeNumbers(left, 16, 'left'),
                      args.writeNumbers(right, 16, 'right', 16), args.writeClipSpace(clipSpace),
                      args.writeOptions(options));
    }

    prepareFromCorners(i, corners, options) {
        const { args } = this;
        this.#prepare('prepare_view_from_corners', i, args.writeNumbers(corners, 24, 'corners'),
                      args.writeOptions(options));
    }

    prepareFromPlanes(i, planes, options) {
        const { args } = this;
        const count = args.planes.write(planes, 'planes');
        this.#prepare('prepare_view_from_planes', i, args.planes.address, count, args.writeOptions(options));
    }

    prepareFromBall(i, center, radius, options) {
        const { args } = this;
        this.#prepare('prepare_view_from_ball', i, args.writeNumbers(center, 3, 'center'), radius,
                      args.writeOptions(options));
    }

    isPrepared(i) {
        const state = (this.addressOf(i) + layouts.view.fields.state[1]) / 4;
        return (this.memory.u32[state] | this.memory.u32[state + 1]) !== 0;
    }

    isExact(i) {
        return this.memory.exports.lanecull_view_is_exact(this.addressOf(i)) === 1;
    }

    seesNothing(i) {
        return this.memory.exports.lanecull_view_sees_nothing(this.addressOf(i)) === 1;
    }
}
