/** The core of lanecull for JavaScript, which loads `core.wasm`; index.d.ts is the manual. */

import type { Core, LoadOptions } from './index.js';

export { alwaysVisible, disabled, floatAbove, floatBelow, LanecullError, webgl, webgpu } from './index.js';
export type { Core } from './index.js';

export function load(options?: LoadOptions): Promise<Core>;
