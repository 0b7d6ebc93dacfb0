// compare.mjs in node: node node.mjs PACKAGE [THREE [ROUNDS]]
//   PACKAGE  the package of tools/wasm, such as build/wasm-small/package
//   THREE    the folder of npm's package three; without it, only the verdicts are checked
//   ROUNDS   41 if not given
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compare } from './compare.mjs';

const [packagePath, threePath, rounds = '41'] = process.argv.slice(2);
const importOf = (...path) => import(pathToFileURL(resolve(...path)));
const { load, webgl } = await importOf(packagePath, 'index.js');
const THREE = threePath === undefined ? null : await importOf(threePath, 'build/three.module.js');
console.log(`node ${process.version}`);
process.exit(compare(await load(), webgl, THREE, Number(rounds), console.log) ? 0 : 1);
