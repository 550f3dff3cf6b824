import type { Plugin } from "vite";
import { firstChunks } from "./chunks.ts";

interface Chunk {
  type: "chunk" | "asset";
  name?: string;
  fileName: string;
  imports?: string[];
}

/** Writes into the page which files the first pages need, so that public/start.js can ask for them at once. */
export function firstChunksInPage(): Plugin {
  return {
    name: "gatehouse:first-chunks",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (bundle === undefined) return html;
        const chunks = Object.values(bundle as Record<string, Chunk>).filter(({ type }) => type === "chunk");
        const named = (name: string) => {
          const found = chunks.find((chunk) => chunk.name === name);
          if (found === undefined) throw new Error(`The build has no chunk ${name}: see setup/chunks.ts`);
          return found;
        };
        const shell = named("shell");
        const shown = new Set([shell.fileName, ...(shell.imports ?? [])]);
        const metas = firstChunks.map(([section, ...names]) => {
          const files = names.map(named).flatMap((chunk) => [chunk.fileName, ...(chunk.imports ?? [])]);
          const further = [...new Set(files)].filter((file) => !shown.has(file));
          return `    <meta name="gatehouse-chunks-${section}" content="${further.join(" ")}" />\n`;
        });
        return html.replace(/(?= *<meta name="referrer")/, metas.join(""));
      },
    },
  };
}
