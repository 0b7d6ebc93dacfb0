// Fails if files have more than so many kilobytes (of 1,000 bytes) gzipped: node size.mjs KILOBYTES FILE...
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [limit, ...files] = process.argv.slice(2);
let bytes = 0, packed = 0;
for (const file of files) {
    const contents = readFileSync(file);
    bytes += contents.length;
    packed += gzipSync(contents, { level: 9 }).length;
}
console.log(`${bytes} bytes, ${packed} gzipped, of at most ${limit} kilobytes`);
process.exit(files.length > 0 && packed <= Number(limit) * 1000 ? 0 : 1);
