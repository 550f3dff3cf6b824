import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/**
 * Writes `x.br` and `x.gz` next to every hashed text file of the build, so that the gateway never compresses while it
 * serves. index.html is left out: the gateway fills it in for each answer.
 */
export function precompress(): Plugin {
  return {
    name: "gatehouse:precompress",
    apply: "build",
    enforce: "post",
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      const files = (await readdir(dir, { recursive: true })).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(files.map((name) => compressFile(join(dir, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  const brotli = await promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  const zipped = await promisify(gzip)(content, { level: 9 });
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
}
