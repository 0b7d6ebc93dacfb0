// compare.mjs in node: node node.mjs MODULE [THREE [ROUNDS]]
//   MODULE   lanecull_browser.js
//   THREE    the folder of npm's package three; without it, only the verdicts are checked
//   ROUNDS   41 if not given
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compare } from './compare.mjs';

const [modulePath, threePath, rounds = '41'] = process.argv.slice(2);
const THREE = threePath === undefined
    ? null : await import(pathToFileURL(resolve(threePath, 'build/three.module.js')));
const lanecull = await createRequire(import.meta.url)(resolve(modulePath))({
    wasmBinary: readFileSync(resolve(modulePath).replace(/\.js$/, '.wasm')),
});
console.log(`node ${process.version}`);
process.exit(compare(lanecull, THREE, Number(rounds), console.log) ? 0 : 1);
