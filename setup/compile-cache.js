// Loaded with --import before the program, so that the program's own modules come out of the cache at the next start.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../.cache/compile", import.meta.url)));
