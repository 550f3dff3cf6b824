import type { Store } from "../../storage/store.ts";
import { decidingColumns, eventColumns, eventTables, type LedgerJson } from "./events.ts";
import { instantOfGeneration } from "../generation-id.ts";

/** The latest calls of a workspace, newest first. */
export async function latestCalls(
  store: Store,
  which: { workspaceId: string; most: number; since?: Date; hashes?: readonly string[] | null },
): Promise<LedgerJson[]> {
  return await read(
    store,
    `select ${eventColumns} from ${eventTables}
     where l.workspace_id = $1 and l.created_at >= $2 and ($3::text[] is null or l.key_hash = any($3::text[]))
     order by l.created_at desc, l.id desc limit $4`,
    [which.workspaceId, which.since ?? new Date(0), which.hashes ?? null, which.most],
  );
}

/** The driver reads an answer in one go: 500 calls of at most 2 kB are a matter of milliseconds. */
const perRead = 500;

/** The latest calls of a workspace, newest first, with what settings decide by; a few at a time. */
export async function latestToDecide(
  store: Store,
  which: { workspaceId: string; most: number; since: Date; hashes?: readonly string[] | null },
): Promise<LedgerJson[]> {
  const found: LedgerJson[] = [];
  let last: LedgerJson | undefined;
  do {
    const most = Math.min(perRead, which.most - found.length);
    const page = await read(
      store,
      `select ${decidingColumns} from ${eventTables}
       where l.workspace_id = $1 and l.created_at >= $2 and ($3::text[] is null or l.key_hash = any($3::text[]))
         and ($4::timestamptz is null or (l.created_at, l.id) < ($4::timestamptz, $5::text))
       order by l.created_at desc, l.id desc limit $6`,
      [which.workspaceId, which.since, which.hashes ?? null, last?.created_at ?? null, last?.id ?? null, most],
    );
    found.push(...page);
    last = page.length < most ? undefined : page.at(-1);
  } while (last !== undefined && found.length < which.most);
  return found;
}

/** One call of any workspace; null when there is none. */
export async function findCall(store: Store, id: string): Promise<LedgerJson | null> {
  const at = instantOfGeneration(id);
  if (at === null) return null;
  const [row] = await read(
    store,
    `select ${eventColumns} from ${eventTables}
     where l.workspace_id in (select id from workspaces) and l.created_at = $1 and l.id = $2`,
    [at, id],
  );
  return row ?? null;
}

/** Rows as PostgreSQL writes them in JSON: the form that events are built from. */
async function read(store: Store, text: string, values: unknown[]): Promise<LedgerJson[]> {
  const { rows } = await store.pool.query<{ json: LedgerJson[] | null }>(
    `select json_agg(row) as json from (${text}) as row`,
    values,
  );
  return rows[0]?.json ?? [];
}
