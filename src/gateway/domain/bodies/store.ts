import { setImmediate } from "node:timers/promises";
import type { KeptBody } from "./body.ts";
import { callBodyAad, bodyBlobAad } from "../secrets/aad.ts";
import type { SecretBox } from "../secrets/box.ts";

/** A call's bodies on their way into the store. */
export interface BodyToKeep {
  /** a {@link KeptBody} */
  readonly json: string;
  /** a destination waits for them */
  readonly forwarded: boolean;
  /** the workspace keeps them for itself */
  readonly logged: boolean;
}

export interface CallWithBody {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
  readonly body: BodyToKeep;
}

/**
 * Bodies that wait for destinations are stored by commit group: one row, sealed once and deleted once. A blob is a line
 * of JSON, `[[id, length], …]`, followed by the bodies, one after another.
 */
export interface BlobRow {
  workspace_id: string;
  created_at: Date;
  n: number;
  bytes: number;
  sealed: string;
}

export interface LoggedRow {
  id: string;
  workspace_id: string;
  created_at: Date;
  sealed: string;
}

/** The size of one blob before it is sealed; a group with large bodies has several. */
const blobCharacters = 1_000_000;

export function packBodies(
  secrets: Pick<SecretBox, "seal">,
  calls: readonly CallWithBody[],
): { blobs: BlobRow[]; logged: LoggedRow[] } {
  const blobs: BlobRow[] = [];
  const logged: LoggedRow[] = [];
  for (const [workspaceId, own] of Map.groupBy(calls, (call) => call.workspaceId)) {
    let piece: CallWithBody[] = [];
    let size = 0;
    const close = () => {
      const [first] = piece;
      if (first === undefined) return;
      const text = `${JSON.stringify(piece.map(({ id, body }) => [id, body.json.length]))}\n${piece.map(({ body }) => body.json).join("")}`;
      const sealed = secrets.seal(text, bodyBlobAad(workspaceId));
      blobs.push({
        workspace_id: workspaceId,
        created_at: first.createdAt,
        n: blobs.length,
        bytes: sealed.length,
        sealed,
      });
      piece = [];
      size = 0;
    };
    for (const call of own) {
      const { id, createdAt, body } = call;
      if (body.logged) {
        const sealed = secrets.seal(body.json, callBodyAad(id));
        logged.push({ id, workspace_id: workspaceId, created_at: createdAt, sealed });
      }
      if (!body.forwarded) continue;
      piece.push(call);
      size += body.json.length;
      if (size > blobCharacters) close();
    }
    close();
  }
  return { blobs, logged };
}

/** The wanted bodies of a blob, by their calls' ids, as JSON. */
export function unpackBlob(secrets: Pick<SecretBox, "open">, workspaceId: string, sealed: string): Map<string, string> {
  const text = secrets.open(sealed, bodyBlobAad(workspaceId));
  const end = text.indexOf("\n");
  const found = new Map<string, string>();
  let at = end + 1;
  for (const [id, length] of JSON.parse(text.slice(0, end)) as [string, number][]) {
    found.set(id, text.slice(at, at + length));
    at += length;
  }
  return found;
}

/** The blobs of some transactions in order, up to so many bytes; those of one transaction stay together. */
export const blobsText = `
select json_agg(json_build_object('xact', xact::text, 'sealed', sealed) order by xact, n)::text as json from (
  select xact, n, sealed, sum(bytes) over (order by xact) - sum(bytes) over (partition by xact) as before
  from forwarding_bodies where workspace_id = $1 and xact = any($2::text[]::xid8[])
) blob where before < $3`;

/** The bodies that workspaces logged for themselves, for some calls. */
export const loggedText = `
select json_agg(json_build_object('id', c.id, 'sealed', c.sealed))::text as json
from generation_contents c
join json_to_recordset($2::json) as wanted(created_at timestamptz, id text)
  on c.created_at = wanted.created_at and c.id = wanted.id
where c.workspace_id = $1`;

type Read = (name: string, text: string, values: readonly unknown[]) => Promise<{ json: string | null }[]>;

export interface BodyOf {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_at: string;
  readonly xact: string;
}

/**
 * The stored bodies of these calls, which are all of one workspace and in ledger order.
 * @returns by id, as JSON, and how many of the calls were read: fewer where their bodies exceed the byte limit
 */
export async function readBodies(
  read: Read,
  secrets: Pick<SecretBox, "open">,
  calls: readonly BodyOf[],
  mostBytes: number,
): Promise<{ bodies: Map<string, string>; examined: number }> {
  const [first] = calls;
  const bodies = new Map<string, string>();
  if (first === undefined) return { bodies, examined: 0 };
  const transactions = [...new Set(calls.map(({ xact }) => xact))];
  const blobs = await readJson<{ xact: string; sealed: string }>(read, "bodies-blobs", blobsText, [
    first.workspace_id,
    transactions,
    mostBytes,
  ]);
  let bytes = 0;
  for (const { sealed } of blobs) {
    bytes += sealed.length;
    for (const [id, json] of unpackBlob(secrets, first.workspace_id, sealed)) bodies.set(id, json);
    await setImmediate();
  }
  const lastRead = BigInt(blobs.at(-1)?.xact ?? 0);
  const cut = bytes >= mostBytes ? calls.findIndex(({ xact }) => BigInt(xact) > lastRead) : -1;
  const examined = cut === -1 ? calls.length : cut;
  const missing = calls.slice(0, examined).filter(({ id }) => !bodies.has(id));
  if (missing.length > 0) {
    const wanted = JSON.stringify(missing.map(({ created_at, id }) => ({ created_at, id })));
    const logged = await readJson<{ id: string; sealed: string }>(read, "bodies-logged", loggedText, [
      first.workspace_id,
      wanted,
    ]);
    for (const { id, sealed } of logged) bodies.set(id, secrets.open(sealed, callBodyAad(id)));
  }
  return { bodies, examined };
}

async function readJson<T>(read: Read, name: string, text: string, values: readonly unknown[]): Promise<T[]> {
  const [row] = await read(name, text, values);
  return row?.json == null ? [] : (JSON.parse(row.json) as T[]);
}

export function bodyIn(json: string | undefined): KeptBody | null {
  return json === undefined ? null : (JSON.parse(json) as KeptBody);
}
