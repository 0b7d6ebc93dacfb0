// Serves the pages: node serve.mjs BUILD THREE [PORT]
//   BUILD  a build folder with the package of tools/wasm, such as build/wasm-small
//   THREE  the folder of npm's package three
//   PORT   8000 if not given
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

// A server that listens on that port, or on one of its choice if it is 0.
export function serve(buildFolder, threeFolder, port) {
    const folders = { lanecull: join(buildFolder, 'package'), built: join(buildFolder, 'pages'), three: threeFolder,
                      '': fileURLToPath(new URL('.', import.meta.url)) };
    const server = createServer(async (request, response) => {
        try {
            const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
            const [, first, ...rest] = path.split('/');
            const file = Object.hasOwn(folders, first) && first !== ''
                ? join(folders[first], ...rest) : join(folders[''], path.endsWith('/') ? `${path}index.html` : path);
            const contents = await readFile(resolve(file));
            // Isolated pages have clocks of 5 microseconds.
            response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream',
                                      'Cross-Origin-Opener-Policy': 'same-origin',
                                      'Cross-Origin-Embedder-Policy': 'require-corp' });
            response.end(contents);
        } catch {
            response.writeHead(404).end();
        }
    });
    return new Promise(done => server.listen(port, '127.0.0.1', () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [buildFolder, threeFolder, port = '8000'] = process.argv.slice(2);
    await serve(buildFolder, threeFolder, Number(port));
    console.log(`http://localhost:${port}/ and http://localhost:${port}/gjk/`);
}
