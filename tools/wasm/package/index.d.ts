/**
 * lanecull for JavaScript: which objects of these batches share no point with these views? The package calls the C
 * interface of the library, in WebAssembly with SIMD; include/lanecull has each function's rules in full.
 *
 * Memory. Batches, views, occluders and culls live in the module's memory until their `destroy()`. What is called
 * `create...` takes memory there and may let it grow; nothing else does. When memory grows, every array that was taken
 * before has no elements any more, and writing to it does nothing. So take arrays from their object after the last
 * `create...` (`boxes.minX`), not once for all; properties and results always give the array of now, over the module's
 * memory, without a copy. `LoadOptions.memoryBytes` takes memory at once, so that it need not grow.
 *
 * Numbers. Objects and solids are made of floats, and JavaScript rounds what is written to a Float32Array to the
 * nearest one. Where an object has to contain what it stands for, write `floatBelow(x)` and `floatAbove(x)`: bounds go
 * outward, margins and radii up. What functions here take is never rounded to the wrong side: they say how.
 *
 * Failures are `LanecullError`s with the library's sentence. A call that fails has changed no result.
 *
 * Threads. A module belongs to the thread that loaded it; others load their own.
 */

export interface LoadOptions {
    /** The module, its bytes, or where it is; by default the file beside this one. */
    wasm?: WebAssembly.Module | BufferSource | URL | string;
    /** The memory to begin with; at least 16 MiB, at most 2 GiB. */
    memoryBytes?: number;
}

/** Fails where the module cannot be loaded, or the browser has no WebAssembly SIMD. */
export function load(options?: LoadOptions): Promise<Lanecull>;

export type ErrorCode =
    'invalid-argument' | 'not-ready' | 'out-of-memory' | 'unsupported' | 'system-error' | 'bad-file';

export class LanecullError extends Error {
    readonly code: ErrorCode;
}

/** The largest float that is not above x, for lower bounds. */
export function floatBelow(x: number): number;
/** The smallest float that is not below x, for upper bounds, margins, radii and distances. */
export function floatAbove(x: number): number;

/** An array of numbers of any type. */
export type Numbers = ArrayLike<number> & (readonly number[] | ArrayBufferView);
/** A normal and an offset: the points p with normal . p + offset >= 0. */
export type Plane = Numbers;

/** What `load()` of `lanecull/core` gives, for pages that want few bytes: views of matrices without lights, the three
 * kinds below, and every output. */
export interface Core {
    /** How large the module's memory is. */
    readonly memoryBytes: number;

    createSpheres(count: number, options?: BatchOptions): Spheres;
    createBoxes(count: number, options?: BatchOptions): Boxes;
    createBoxInstances(count: number, options: BoxInstanceOptions): BoxInstances;

    createViews(count: number): Views;
    /** A cull of these batches by 1 to 64 views. */
    createCull(batches: readonly Batch[], views: Views, options?: CullOptions): Cull;
}

export interface Lanecull extends Core {
    createCenteredBoxes(count: number, options?: BatchOptions): CenteredBoxes;
    createOrientedBoxes(count: number, options?: OrientedBoxOptions): OrientedBoxes;
    createCapsules(count: number, options?: BatchOptions): Capsules;
    createCylinders(count: number, options?: BatchOptions): Cylinders;
    createCones(count: number, options?: ConeOptions): Cones;
    createEllipsoids(count: number, options?: EllipsoidOptions): Ellipsoids;
    /** hulls: for each, x y z of one vertex after the other, numbers of float32. They are copied. */
    createHullInstances(count: number, hulls: readonly Numbers[], options: HullInstanceOptions): HullInstances;

    createOccluders(capacity: number): Occluders;

    /** These need the module `whole.wasm`. Solids are for `Occluders.choose()`; cells of a view for clustered shading. */
    createSolids(count: number): Solids;
    createLights(options: LightsOptions): Lights;
    createLightCells(lights: Lights, options: LightCellsOptions): LightCells;
}

/** Gives its memory back. Whatever is called or read afterwards is refused. */
export interface Destroyable {
    destroy(): void;
}

/** Objects of one kind. New ones have zeros in all of their arrays, which the caller fills. A kind that this build of
 * the module lacks is refused by `Cull.run()`. */
export interface Batch extends Destroyable, Partial<AttributeArrays> {
    readonly capacity: number;
    /** How many of the objects there are: at first `capacity`; fewer as you like. */
    count: number;
}

/** What objects may have besides their shape. Arrays of `count` numbers, there if they were asked for. */
export interface AttributeArrays {
    /** Everything within it of the shape belongs to the object. */
    readonly margin: Float32Array;
    /** The way that the object goes: all three or none. */
    readonly sweepX: Float32Array;
    readonly sweepY: Float32Array;
    readonly sweepZ: Float32Array;
    /** `disabled` or `alwaysVisible`. */
    readonly flags: Uint32Array;
    /** Culled if it has no bit in common with the view's `layerMask`; at first all bits. */
    readonly layers: Uint32Array;
    /** Culled if all of it is farther from the view's eye; at first infinite. */
    readonly maxDistance: Float32Array;
    /** Culled if it looks smaller, as a part of the view's height. */
    readonly minProjectedSize: Float32Array;
    /** Culled if it is nearer to the view's eye. */
    readonly minDistance: Float32Array;
}

/** Bits of `AttributeArrays.flags`. */
export const disabled: 1;
export const alwaysVisible: 2;

export interface BatchOptions {
    attributes?: readonly (keyof AttributeArrays)[];
}

export interface Spheres extends Batch {
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly z: Float32Array;
    readonly radius: Float32Array;
}

export interface BoxArrays {
    readonly minX: Float32Array;
    readonly minY: Float32Array;
    readonly minZ: Float32Array;
    readonly maxX: Float32Array;
    readonly maxY: Float32Array;
    readonly maxZ: Float32Array;
}

/** Boxes along the axes. */
export interface Boxes extends Batch, BoxArrays {}

export interface CenteredBoxes extends Batch {
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly z: Float32Array;
    readonly halfX: Float32Array;
    readonly halfY: Float32Array;
    readonly halfZ: Float32Array;
}

export interface OrientedBoxOptions extends BatchOptions {
    /** How boxes are turned; quaternions by default. */
    orientation?: 'quaternions' | 'axes';
    /** Whether there is an array of radii, which makes culls faster. */
    boundingRadius?: boolean;
}

export interface OrientedBoxes extends Batch {
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly z: Float32Array;
    /** x y z w of one box after the other. */
    readonly quaternions?: Float32Array;
    /** Nine numbers a box: its three axes. */
    readonly axes?: Float32Array;
    /** Three numbers a box. */
    readonly halfExtents: Float32Array;
    /** No point of a box may be farther from its centre. */
    readonly boundingRadius?: Float32Array;
}

/** Two ends and a radius. */
interface SegmentArrays {
    readonly aX: Float32Array;
    readonly aY: Float32Array;
    readonly aZ: Float32Array;
    readonly bX: Float32Array;
    readonly bY: Float32Array;
    readonly bZ: Float32Array;
    readonly radius: Float32Array;
}

/** What is within `radius` of the segment from a to b. */
export interface Capsules extends Batch, SegmentArrays {}

/** Solid cylinders with flat ends at a and b, which must differ. */
export interface Cylinders extends Batch, SegmentArrays {}

export interface ConeOptions extends BatchOptions {
    /** At the disc inside of the base's rim ('flat', also if absent), or at the sphere around the apex through it. */
    end?: 'flat' | 'round';
}

/** Solid cones from an apex to a base of that radius, whose middle must be elsewhere. */
export interface Cones extends Batch {
    readonly apexX: Float32Array;
    readonly apexY: Float32Array;
    readonly apexZ: Float32Array;
    readonly baseX: Float32Array;
    readonly baseY: Float32Array;
    readonly baseZ: Float32Array;
    readonly radius: Float32Array;
}

export interface EllipsoidOptions extends BatchOptions {
    /** Whether there is an array of radii, which makes culls faster. */
    boundingRadius?: boolean;
}

export interface Ellipsoids extends Batch {
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly z: Float32Array;
    /** x y z w of one ellipsoid after the other. */
    readonly quaternions: Float32Array;
    /** Three numbers an ellipsoid. */
    readonly halfAxes: Float32Array;
    /** No point of an ellipsoid may be farther from its centre: its largest half-axis will do. */
    readonly boundingRadius?: Float32Array;
}

/** How a transform's numbers are stored: 12 or 16 of them. */
export type TransformLayout = 'rows-3x4' | 'columns-3x4' | 'rows-4x4' | 'columns-4x4';

export interface BoxInstanceOptions extends BatchOptions {
    /** How many boxes the objects share, by `boxIndex`; without it each object has a box of its own. */
    boxes?: number;
    /** 'columns-4x4' for the matrices of three.js, WebGL and glTF. It has no default. */
    transforms: TransformLayout;
}

/** Boxes under transforms, turned and sheared as they are. */
export interface BoxInstances extends Batch, BoxArrays {
    readonly transforms: Float32Array;
    readonly boxIndex?: Uint32Array;
}

export interface HullInstanceOptions extends BatchOptions {
    /** As boxes under matrices have them. */
    transforms: TransformLayout;
    /** Whether there are arrays of spheres, each around an instance, which make culls faster. */
    boundingSpheres?: boolean;
}

/** Convex hulls under transforms. */
export interface HullInstances extends Batch {
    readonly transforms: Float32Array;
    /** Which hull, if there are several. */
    readonly hullIndex?: Uint32Array;
    readonly boundingX?: Float32Array;
    readonly boundingY?: Float32Array;
    readonly boundingZ?: Float32Array;
    readonly boundingRadius?: Float32Array;
}

/** How to read a clip matrix. */
export interface ClipSpace {
    /** The depths that are seen: 0 to w, or -w to w. */
    depth: 'zero-to-one' | 'minus-one-to-one';
    /** 'column-major' by default. */
    layout?: 'column-major' | 'row-major';
    /** The matrix is one of p - origin. */
    origin?: Numbers;
}

export const webgl: Readonly<ClipSpace>;
export const webgpu: Readonly<ClipSpace>;

export interface ViewOptions {
    /** At most 10 half-spaces that limit the view further. */
    clipPlanes?: readonly Plane[];
    /** Everything within it of the volume is seen. */
    margin?: number;
    /** 32 bits; all layers by default. */
    layerMask?: number;
    /** From where distances are measured; the matrix's own eye by default. */
    eye?: Numbers;
    sizeScale?: number;
    /** With a light, the view is of what casts shadows that can be seen. One of the two. */
    directionalLight?: DirectionalLight;
    pointLight?: PointLight;
}

export interface DirectionalLight {
    /** The direction to the light. */
    toward: Numbers;
    /** Casters are no farther than `reach * toward` from what they shade; any distance by default. */
    reach?: number;
}

export interface PointLight {
    at: Numbers;
    /** It lights nothing farther away. */
    range?: number;
    /** At most 8 half-spaces, in all of which it lights. */
    sides?: readonly Plane[];
}

/** A list of views. Preparing one takes some microseconds; where it fails, the view stays as it was. */
export interface Views extends Destroyable {
    readonly count: number;
    /** View i becomes the volume of a perspective or orthographic clip matrix, 16 numbers. */
    prepare(i: number, clipFromWorld: Numbers, clipSpace: ClipSpace, options?: ViewOptions): void;
    /** The convex hull of both eyes' volumes. */
    prepareStereo(i: number, left: Numbers, right: Numbers, clipSpace: ClipSpace, options?: ViewOptions): void;
    /** The convex hull of eight corners, 24 numbers. */
    prepareFromCorners(i: number, corners: Numbers, options?: ViewOptions): void;
    /** What is in all of these half-spaces, at most 16 with the options' clip planes. */
    prepareFromPlanes(i: number, planes: readonly Plane[], options?: ViewOptions): void;
    prepareFromBall(i: number, center: Numbers, radius: number, options?: ViewOptions): void;
    isPrepared(i: number): boolean;
    /** Whether culls by it are exact. */
    isExact(i: number): boolean;
    /** Whether it is proved that nothing is in its volume: clip planes leave none of it, or the light reaches none. */
    seesNothing(i: number): boolean;
}

/** Why a solid hides nothing; null: it hides. */
export type Refusal = null | 'no-viewpoint' | 'invalid' | 'encloses-eye' | 'near' | 'too-thin' | 'too-many-facets';

export interface OccluderOptions {
    /** A box around all that is drawn for the solid, rounded outward to floats; the solid itself by default. */
    drawn?: { min: Numbers; max: Numbers };
    /** What a rasteriser needs: include/lanecull/occluder.h, RasterMargin. */
    perDistance?: number;
    depthPerSquare?: number;
    depthPerDistance?: number;
    /** The object that draws what covers the solid; without it the caller answers for that. */
    owner?: { batch: number; object: number };
}

/** Convex solids behind which objects are culled. include/lanecull/occluder.h has the conditions that the caller
 * answers for: what is drawn there is closed, opaque, contains the solid, and is drawn in this view. */
export interface Occluders extends Destroyable {
    readonly capacity: number;
    /** How many there are. */
    readonly count: number;
    /** From where they are seen. Forgets all solids, so call it first in each frame. */
    setViewpoint(clipFromWorld: Numbers, clipSpace: ClipSpace,
                 options?: { clipPlanes?: readonly Plane[]; sight?: 'growing-depth' | 'shrinking-depth' }): void;
    /** From 1 to 8 eyes, x y z of one after the other. nearReach: no near plane's corner is farther from its eye. */
    setViewpointFromEyes(eyes: Numbers, nearReach: number): void;
    /** The way that the light goes. around: a place near the objects. */
    setViewpointAlong(direction: Numbers, around: Numbers): void;
    /** Adds a solid if it hides anything: the box, rounded inward to floats. */
    addBox(min: Numbers, max: Numbers, options?: OccluderOptions): Refusal;
    /** axes: nine numbers, one axis after the other. All are numbers of float32, and refused otherwise: no rounding of
     * each keeps the box inside of itself. */
    addOrientedBox(center: Numbers, halfExtents: Numbers, axes: Numbers, options?: OccluderOptions): Refusal;
    /** 4 to 32 half-spaces; options.drawn is required. */
    addPolytope(planes: readonly Plane[], options: OccluderOptions): Refusal;
    /** Forgets all solids and takes those that are expected to hide most of view i, at most `capacity` and 64; the
     * viewpoint is that of the view. Returns their numbers, most promising first, until the next choice from `solids`. */
    choose(solids: Solids, views: Views, i: number,
           raster?: Pick<OccluderOptions, 'perDistance' | 'depthPerSquare' | 'depthPerDistance'>): Uint32Array;
}

/** Boxes inside of what is drawn opaque, to choose occluders from. */
export interface Solids extends Destroyable {
    readonly count: number;
    /** Box i, rounded inward to floats. */
    setBoxAt(i: number, min: Numbers, max: Numbers): void;
    /** Bits as those of `Cull.bits()`: which may be chosen; at first all. Where solids are many, those that a cull of
     * their boxes found visible take less time. */
    readonly candidates: Uint32Array;
}

export type Output = 'indices' | 'bits' | 'inside' | 'statistics';

export interface CullOptions {
    /** What is wanted of each view: ['indices'] by default. */
    outputs?: readonly Output[];
    /** Which of the views: all by default. */
    firstView?: number;
    viewCount?: number;
    /** 'automatic' is exact; 'planes' culls what is wholly behind one plane. */
    method?: 'automatic' | 'planes';
    /** Of each batch's indices: by depth in the view, or ascending by default. Views of corners and planes have no
     * depth, unless they have an eye. */
    order?: 'ascending' | 'front-to-back' | 'back-to-front';
}

/** A cull and its results, which hold until the next `run()`. Views and batches are counted from 0 in the order in
 * which they were given. */
export interface Cull extends Destroyable {
    readonly firstView: number;
    readonly viewCount: number;
    /** From now on these hide objects from the view, at most 64 of them; their viewpoint is the view's. null: none. */
    setOccluders(view: number, occluders: Occluders | null): void;
    /** Tests every object against every view. Fails before anything is written, as where a view is not prepared. */
    run(): this;
    /** How many objects of the batch, or of all batches, the view sees. */
    visibleCount(view?: number, batch?: number): number;
    /** Their numbers within their batch, in the cull's order; those of all batches come batch after batch. */
    indices(view?: number, batch?: number): Uint32Array;
    /** `bits[i >> 5] >>> (i & 31) & 1`: object i of the batch is visible. */
    bits(view?: number, batch?: number): Uint32Array;
    /** The same: it is proved to lie wholly inside the view's volume. */
    inside(view?: number, batch?: number): Uint32Array;
    /** How many objects were decided by which reason. */
    statistics(view?: number): Record<Statistic, number>;
}

export type Statistic =
    'objects' | 'culledPlane' | 'culledGjk' | 'culledDistance' | 'culledNear' | 'culledSize' | 'culledDisabled' |
    'culledLayer' | 'culledCandidate' | 'culledOccluded' | 'visibleAlways' | 'visibleInside' | 'visibleVertex' |
    'visibleOverlap' | 'visibleTouching' | 'visibleCap' | 'visiblePlanes' | 'visibleInvalid';

export interface LightsOptions {
    /** How many lamps and spotlights there may be; 0 by default. */
    balls?: number;
    spots?: number;
    /** How spotlights end: no point is farther than `range` from the apex ('round', by default), or along the axis. */
    end?: 'round' | 'flat';
    /** Whether lights have layers. */
    layers?: boolean;
}

/** Lights, numbered in this order: the balls, the spots. Zeros at first. */
export interface Lights extends Destroyable {
    readonly balls: {
        /** How many there are; fewer as you like. */
        count: number;
        readonly x: Float32Array;
        readonly y: Float32Array;
        readonly z: Float32Array;
        readonly radius: Float32Array;
    };
    readonly spots: {
        count: number;
        readonly x: Float32Array;
        readonly y: Float32Array;
        readonly z: Float32Array;
        readonly range: Float32Array;
        /** The way that the light goes, of any length. */
        readonly axisX: Float32Array;
        readonly axisY: Float32Array;
        readonly axisZ: Float32Array;
        /** Of half the opening angle. */
        readonly tangent: Float32Array;
    };
    /** By the lights' numbers; at first all bits. */
    readonly layers?: Uint32Array;
    readonly count: number;
}

export interface LightCellsOptions {
    /** 1 to 64 tiles across and up the screen. */
    tilesX: number;
    tilesY: number;
    /** Depths between slices, each above the one before it: 2 to 129. The last may be Infinity. */
    boundaries: Numbers;
    /** ['lists'] by default. */
    outputs?: readonly ('lists' | 'bits')[];
    /** How many entries all lists together have room for: 32 a cell by default. */
    entries?: number;
}

export interface LightViewOptions {
    /** Of orthographic matrices; 'growing-depth' by default. */
    sight?: 'growing-depth' | 'shrinking-depth';
    /** 32 bits; all layers by default. */
    layerMask?: number;
}

/** Cell (i, j, k) has the number (k tilesY + j) tilesX + i; row 0 is at y = -w. */
export interface LightCells extends Destroyable {
    /** How many cells there are. */
    readonly count: number;
    /** Which lights may light anything that is seen: bits as of `Cull.bits()`. bounds: all that is seen and lit is in
     * it; occluders: of the same viewpoint, without owners. */
    cull(clipFromWorld: Numbers, clipSpace: ClipSpace,
         options?: LightViewOptions & { bounds?: { min: Numbers; max: Numbers }; occluders?: Occluders | null }): Uint32Array;
    /** The bits of the last `cull()`. */
    visible(): Uint32Array;
    /** Finds each cell's lights. visible: only those that the last `cull()` left. */
    assign(clipFromWorld: Numbers, clipSpace: ClipSpace, options?: LightViewOptions & { visible?: boolean }): this;
    /** How long all lists are together. Those that `entries` has no room for are cut. */
    readonly entryCount: number;
    /** Cell c's lights are `indices()` from `offsets()[c]` to `offsets()[c + 1]`. */
    offsets(): Uint32Array;
    indices(): Uint32Array;
    /** Bit i % 32 of number i / 32 of a cell's ceil(lights / 32): light i reaches it; cell after cell. */
    bits(): Uint32Array;
}
