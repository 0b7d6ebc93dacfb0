// A list of views, each prepared from a matrix or from what else has a volume.

import { Owner, checkCount } from './memory.js';

export class Views extends Owner {
    constructor(memory, args, count) {
        super(memory, 'views');
        this.args = args;
        this.count = checkCount(count, 0xffffffff, 'count');
        this.address = this.create('views', count);
    }

    #prepare(name, i, ...given) {
        this.checkAlive();
        this.memory.call(name, this.address, checkCount(i, this.count, 'i'), ...given);
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
        this.checkAlive();
        return this.memory.exports.lanecull_view_is_prepared(this.address, i) === 1;
    }

    isExact(i) {
        this.checkAlive();
        return this.memory.exports.lanecull_view_is_exact(this.address, i) === 1;
    }

    seesNothing(i) {
        this.checkAlive();
        return this.memory.exports.lanecull_view_sees_nothing(this.address, i) === 1;
    }
}
