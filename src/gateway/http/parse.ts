import * as z from "zod/mini";
import type { Endpoint, Parsed } from "#contract/endpoint.ts";
import { fieldIssues, wordIssues } from "#contract/validation-messages.ts";
import { invalid, invalidMembers } from "../domain/refusal.ts";
import { readJsonBody } from "../json-body.ts";
import { forEachInTurns, takeTurns, type Turn } from "../turns.ts";
import { holdsAtMost, writeJsonInTurns } from "../write-json.ts";

wordIssues();

/** In a management body: 2,000 models have about 50,000. */
const mostValues = 100_000;

/** The three parts of a request as they arrived. */
interface Raw {
  params: unknown;
  query: unknown;
  /** the body's bytes; null where none came */
  body: Buffer | null;
}

/** Parses a request with its endpoint's schemas. The refusal's `issues` list every invalid member of every part. */
export async function parseRequest<E extends Endpoint>(endpoint: E, raw: Raw, owner: string): Promise<Parsed<E>> {
  const turn = takeTurns(owner);
  await refuseUnstorable({ params: raw.params, query: raw.query }, turn);
  const given = endpoint.body === null ? null : await parseJson(raw.body, turn);
  const params = z.safeParse(endpoint.params, raw.params);
  const query = z.safeParse(endpoint.query, raw.query);
  const body = endpoint.body === null ? null : z.safeParse(endpoint.body, given);
  const wrong = [params, query, body].flatMap((part) => part?.error?.issues ?? []);
  if (wrong.length > 0) throw invalidMembers(wrong);
  return { params: params.data, query: query.data, body: body?.data } as Parsed<E>;
}

/** Drops what the contract does not declare from an answer. An answer that does not fit the contract is a defect. */
export function shapeAnswer(endpoint: Endpoint, answer: unknown): unknown {
  const result = z.safeParse(endpoint.returns, answer);
  if (result.success) return result.data;
  const places = fieldIssues(result.error.issues).issues.map((issue) => `${issue.path} ${issue.message}`);
  throw new Error(`the answer of ${endpoint.name} does not fit the contract: ${places.join("; ")}`);
}

/** Rows of a long list that are shaped in one go. What stands beside the list is shaped again with each lot. */
const shapedAtOnce = 100;

/** Answers of up to this many values are shaped and written in one go. */
const shortAnswer = 5_000;

/**
 * The JSON of an answer that is a long list, or one record with a long list in it: its rows are shaped lot by lot,
 * in turns. Null for any other answer.
 * @param owner whose turns it takes
 */
export async function writeLongList(
  endpoint: Endpoint,
  answer: unknown,
  owner: string,
): Promise<readonly Buffer[] | null> {
  if (!isObject(answer)) return null;
  const place = longListIn(answer["data"]);
  if (place === undefined || holdsAtMost(answer, shortAnswer)) return null;
  const turn = takeTurns(owner, { patient: true });
  await turn.next();
  const shape = (rows: readonly unknown[]) => shapeAnswer(endpoint, withRows(answer, place, rows)) as Answer;
  const all = rowsAt(answer, place);
  const parts = Array.from({ length: Math.ceil(all.length / shapedAtOnce) }, (_, at) =>
    all.slice(at * shapedAtOnce, (at + 1) * shapedAtOnce),
  );
  const rows: unknown[] = [];
  await forEachInTurns(parts, turn, (part) => void rows.push(...rowsAt(shape(part), place)));
  // Not with an empty list, which the contract may not allow.
  return await writeJsonInTurns(withRows(shape(all.slice(0, 1)), place, rows), turn);
}

type Answer = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Answer {
  return typeof value === "object" && value !== null;
}

/** The member of `data` that is a list; null: `data` itself is it. */
type Place = string | null;

/** Undefined where there is none. */
function longListIn(data: unknown): Place | undefined {
  if (Array.isArray(data)) return null;
  if (!isObject(data)) return undefined;
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [longest] = lists.toSorted(([, a], [, b]) => b.length - a.length);
  return longest !== undefined && longest[1].length > shapedAtOnce ? longest[0] : undefined;
}

function rowsAt({ data }: Answer, place: Place): readonly unknown[] {
  return (place === null ? data : (data as Answer)[place]) as readonly unknown[];
}

function withRows(answer: Answer, place: Place, rows: readonly unknown[]): Answer {
  return { ...answer, data: place === null ? rows : { ...(answer["data"] as Answer), [place]: rows } };
}

async function parseJson(body: Buffer | null, turn: Turn): Promise<unknown> {
  const value = await readJsonBody(body, turn, mostValues);
  if (/\\u(0000|d[89a-f])/i.test(body?.toString("latin1") ?? "")) await refuseUnstorable(value, turn);
  return value;
}

/** PostgreSQL keeps neither U+0000 nor half of a surrogate pair in a text. */
async function refuseUnstorable(value: unknown, turn: Turn): Promise<void> {
  turn.begin();
  const pending: { path: string; value: unknown }[] = [{ path: "", value }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { path, value } = item;
    if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
      throw invalid(path, "must be well-formed text without the character U+0000");
    }
    if (typeof value !== "object" || value === null) continue;
    if (turn.isOver()) await turn.next();
    for (const [key, member] of Object.entries(value)) {
      pending.push({ path: path === "" ? key : `${path}.${key}`, value: member });
    }
  }
}
