// Loaded into a gateway by bench/cost.ts: calls are answered without being recorded. It shows what the ledger costs, and
// is for nothing else; no setting does this.
import { registerHooks } from "node:module";

const groupCommit = `
export class CommitOverdue extends Error {}
export const createGroupCommit = () => ({
  add: async () => {},
  pending: () => 0,
  stalledMs: () => 0,
  failing: () => false,
  drain: async () => {},
});`;
const replaced = [
  ["/src/gateway/domain/ledger/group-commit.ts", groupCommit],
  ["/src/gateway/storage/journal.ts", "export const openJournal = async () => null;"],
] as const;

registerHooks({
  load(url, context, next) {
    const [, source] = replaced.find(([path]) => url.endsWith(path)) ?? [];
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
