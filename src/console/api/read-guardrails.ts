import { getGuardrail, listGuardrails, listKeyAssignments, listMemberAssignments } from "#contract/guardrails.ts";
import { call } from "./call.ts";
import { guardrailSummary } from "./guardrail-words.ts";
import { readByOffset } from "./read-pages.ts";

/** A workspace has at most 500; of all workspaces together the oldest are enough. */
const mostGuardrails = 1_000;

/** A default guardrail is listed only once it was changed, so it is read by its id where it is missing. */
export async function readGuardrails(workspaceId: string, defaultId: string | undefined, signal: AbortSignal) {
  const query = workspaceId === "all" ? {} : { workspace_id: workspaceId };
  const { rows, total } = await readByOffset(
    (at) => call(listGuardrails, { query: { ...query, ...at } }, { signal }),
    mostGuardrails,
  );
  const listed = rows.toSorted((a, b) => Number(b.is_default) - Number(a.is_default));
  if (defaultId === undefined || listed[0]?.is_default === true) return { rows: listed, total };
  const { data } = await call(getGuardrail, { params: { id: defaultId } }, { signal });
  return { rows: [data, ...listed], total: total + 1 };
}

/** A guardrail that covers a key. */
export interface CoveringGuardrail {
  id: string;
  name: string;
  /** what it does, in a few words each */
  summary: readonly string[];
  /** why it covers the key */
  because: "key" | "creator" | "default";
}

interface OfKey {
  hash: string;
  creator: string | null;
  defaultId: string | undefined;
}

export async function readKeyGuardrails(
  { hash, creator, defaultId }: OfKey,
  signal: AbortSignal,
): Promise<CoveringGuardrail[]> {
  const [own, creators] = await Promise.all([
    call(listKeyAssignments, { query: { key_hash: hash } }, { signal }),
    creator === null ? null : call(listMemberAssignments, { query: { user_id: creator } }, { signal }),
  ]);
  const ids = [
    ["key", own.data[0]?.guardrail_id],
    ["creator", creators?.data[0]?.guardrail_id],
    ["default", defaultId],
  ] as const;
  const found = await Promise.all(
    ids.map(async ([because, id]) => {
      if (id === undefined) return [];
      const { data } = await call(getGuardrail, { params: { id } }, { signal });
      return [{ id, name: data.name, summary: guardrailSummary(data), because }];
    }),
  );
  return found.flat();
}
