/** What the adapters for engines share: instances of geometries, each culled by a box around it. */

import type { Boxes, Cull, Destroyable, ViewOptions } from './index.js';

export interface InstanceCulling<Camera, Matrix> extends Destroyable {
    /** How many instances there are. */
    readonly count: number;
    readonly batch: Boxes;
    /** For occluders (`results.setOccluders(0, occluders)`, in the instances' coordinates), counts and indices. */
    readonly results: Cull;
    /** Culls, and shows what is visible: cull() and show(). `options` are in the instances' coordinates. */
    update(camera: Camera, options?: ViewOptions): void;
    cull(camera: Camera, options?: ViewOptions): void;
    show(): void;
    /** Of an instance by its number of before, like all of these. To be called in place of the engine's own. */
    setMatrixAt(i: number, matrix: Matrix): void;
    /** Whether the instance may be shown at all. The first that may not takes memory, as what is called create... does,
     * and culls take longer from then on. */
    setEnabledAt(i: number, enabled: boolean): void;
    isEnabledAt(i: number): boolean;
    /** Shows all enabled instances again, which the engine culls as before. Not `destroy()`, which is for the end. */
    restore(): void;
}
