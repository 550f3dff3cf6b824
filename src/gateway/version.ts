import { readFileSync } from "node:fs";
import * as z from "zod/mini";

const manifest = new URL("../../package.json", import.meta.url);

/** The program's version: package.json's. */
export const version = z.parse(z.object({ version: z.string() }), JSON.parse(readFileSync(manifest, "utf8"))).version;
