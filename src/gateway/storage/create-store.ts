import { PGlite } from "@electric-sql/pglite";
import { extensions } from "./embedded-worker.ts";

/** Creates an empty store in the folder that is named as its only argument, and ends. */
const [dataDir = ""] = process.argv.slice(2);
await (await PGlite.create({ dataDir, extensions })).close();
