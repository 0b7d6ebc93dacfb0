// A page of serve.mjs in headless Chromium, for its test.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { serve } from './serve.mjs';

const switches = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader'];

// Opens `path` of a build folder's pages; `modules` is a folder node_modules with three and playwright-core. The process
// ends with 77 if there is no Chromium: CHROMIUM, or /usr/bin/chromium. What the page logs as errors is in `errors`.
export async function open(buildFolder, modules, path) {
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    if (!existsSync(executablePath)) {
        console.log(`no ${executablePath}: the page is not opened`);
        process.exit(77);
    }
    const { chromium } = createRequire(resolve(modules, 'x.js'))('playwright-core');
    const server = await serve(buildFolder, join(modules, 'three'), 0);
    const browser = await chromium.launch({ executablePath, args: switches });
    const close = async () => {
        await browser.close();
        server.close();
    };
    try {
        const page = await browser.newPage({ viewport: { width: 480, height: 270 } }), errors = [];
        page.setDefaultTimeout(600_000);
        page.on('pageerror', error => errors.push(error.message));
        page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
        await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
        await page.waitForFunction(() => globalThis.page || document.querySelector('#error').textContent !== '');
        return { page, errors, close };
    } catch (error) {
        await close();
        throw error;
    }
}
