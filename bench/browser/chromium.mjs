// compare.mjs in headless Chromium, to which it serves the files: node chromium.mjs PACKAGE THREE [ROUNDS [CHROMIUM]]
//   as for node.mjs; CHROMIUM is the program, `chromium` if not given
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [packagePath, threePath, rounds = '41', chromium = 'chromium'] = process.argv.slice(2);
const page = `<script type="module">
import { load, webgl } from '/package/index.js';
import { compare } from '/compare.mjs';
const lines = [navigator.userAgent];
let right = false;
try {
    right = compare(await load(), webgl, await import('/three/three.module.js'), ${Number(rounds)},
                    line => lines.push(line));
} catch (error) {
    lines.push(String(error));
}
await fetch('/done', { method: 'POST', body: JSON.stringify({ lines, right }) });
</script>`;
const types = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };

function contentsOf(path) {
    if (path === '/page.html') return page;
    if (path === '/compare.mjs') return readFileSync(new URL('compare.mjs', import.meta.url));
    if (path.startsWith('/package/')) return readFileSync(join(resolve(packagePath), path.replace('/package/', '')));
    return readFileSync(join(resolve(threePath), 'build', path.replace('/three/', '')));
}

const profile = mkdtempSync(join(tmpdir(), 'lanecull-'));
let browser;
const server = createServer((request, response) => {
    // Isolated pages have clocks of 5 microseconds.
    const head = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
    if (request.url === '/done') {
        let body = '';
        request.on('data', part => body += part);
        request.on('end', () => {
            const { lines, right } = JSON.parse(body);
            console.log(lines.join('\n'));
            browser.once('exit', () => {
                rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
                process.exit(right ? 0 : 1);
            });
            browser.kill();
        });
        return;
    }
    try {
        const contents = contentsOf(request.url);
        response.writeHead(200, { ...head, 'Content-Type': types[request.url.split('.').pop()] }).end(contents);
    } catch {
        response.writeHead(404).end();
    }
});
server.listen(0, '127.0.0.1', () => {
    browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`,
                               `http://127.0.0.1:${server.address().port}/page.html`], { stdio: 'ignore' });
});
