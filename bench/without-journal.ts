// Loaded into a gateway by bench/journal.ts: every answer waits until its call is in the tables of the embedded store.
import { registerHooks } from "node:module";

const replaced = "/src/gateway/storage/journal.ts";
const source = "export const openJournal = async () => null;";

registerHooks({
  load: (url, context, next) =>
    url.endsWith(replaced) ? { format: "module", source, shortCircuit: true } : next(url, context),
});
