// Loaded into a gateway by bench/cost.ts: calls are answered without being recorded. It shows what the ledger costs, and
// is for nothing else; no setting does this.
import { registerHooks } from "node:module";

const replaced = "/src/gateway/domain/ledger/group-commit.ts";
const source = `
export class CommitOverdue extends Error {}
export const createGroupCommit = () => ({
  add: async () => {},
  pending: () => 0,
  stalledMs: () => 0,
  failing: () => false,
  drain: async () => {},
});`;

registerHooks({
  load: (url, context, next) =>
    url.endsWith(replaced) ? { format: "module", source, shortCircuit: true } : next(url, context),
});
