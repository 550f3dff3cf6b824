import * as z from "zod/mini";
import type { Endpoint, Parsed } from "#contract/endpoint.ts";
import { fieldIssues, wordIssues } from "#contract/validation-messages.ts";
import { invalid, invalidMembers } from "../domain/refusal.ts";
import { readJsonBody, refuseUnstorable } from "../json-body.ts";
import { mapInTurns, takeTurns, type Turn } from "../turns.ts";
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
  const given = endpoint.body === null ? null : await readGiven(endpoint, raw.body, turn);
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
  const issues = fieldIssues(result.error.issues).issues.map((issue) => `${issue.path} ${issue.message}`);
  throw new Error(`the answer of ${endpoint.name} does not fit the contract: ${issues.join("; ")}`);
}

/** Rows of a long list that are shaped in one go. What stands beside a list is shaped again with each lot. */
const shapedAtOnce = 100;

/** Answers of up to this many values are shaped and written in one go. */
const shortAnswer = 5_000;

/**
 * The JSON of an answer that is a long list, of records that may hold long lists themselves, or one such record: it is
 * shaped lot by lot, in turns. Null for any other answer.
 * @param owner whose turns it takes
 */
export async function writeLongList(
  endpoint: Endpoint,
  answer: unknown,
  owner: string,
): Promise<readonly Buffer[] | null> {
  if (!isObject(answer) || holdsAtMost(answer, shortAnswer)) return null;
  const { data } = answer;
  const turn = takeTurns(owner, { patient: true });
  const shape = (data: unknown) => shapeAnswer(endpoint, { ...answer, data }) as Members;
  const shapeRow = (row: unknown) => shape(row)["data"] as Members;
  if (Array.isArray(data)) {
    await turn.next();
    const rows = await shapeRows(data, (lot) => shape(lot)["data"] as Members[], turn);
    // Not with an empty list, which the contract may not allow.
    return await writeJsonInTurns({ ...shape(data.slice(0, 1).map(firstLot)), data: rows }, turn);
  }
  const member = longListIn(data);
  if (member === null) return null;
  await turn.next();
  const row = await shapeLong(data as Members, member, shapeRow, turn);
  return await writeJsonInTurns({ ...shape(firstLot(data)), data: row }, turn);
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member that is the longest list, if that is a long one. */
function longListIn(record: unknown): string | null {
  if (!isObject(record)) return null;
  const lists = Object.entries(record).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [longest] = lists.toSorted(([, a], [, b]) => b.length - a.length);
  return longest !== undefined && longest[1].length > shapedAtOnce ? longest[0] : null;
}

/** The record with one lot of its list. */
function withList(record: Members, member: string, lot: number): Members {
  const list = record[member] as readonly unknown[];
  return { ...record, [member]: list.slice(lot * shapedAtOnce, (lot + 1) * shapedAtOnce) };
}

function firstLot(record: unknown): unknown {
  const member = longListIn(record);
  return member === null ? record : withList(record as Members, member, 0);
}

/** @param shape the rows of a lot */
async function shapeRows(list: readonly unknown[], shape: (lot: readonly unknown[]) => readonly Members[], turn: Turn) {
  const rows: Members[] = [];
  let lot: unknown[] = [];
  const shapeLot = async () => {
    if (lot.length === 0) return;
    rows.push(...shape(lot));
    lot = [];
    if (turn.isOver()) await turn.next();
  };
  const shapeOne = (row: unknown) => shape([row])[0] as Members;
  for (const row of list) {
    const member = longListIn(row);
    if (member === null) {
      lot.push(row);
      if (lot.length === shapedAtOnce) await shapeLot();
    } else {
      await shapeLot();
      rows.push(await shapeLong(row as Members, member, shapeOne, turn));
    }
  }
  await shapeLot();
  return rows;
}

async function shapeLong(record: Members, member: string, shape: (record: unknown) => Members, turn: Turn) {
  const lots = Math.ceil((record[member] as readonly unknown[]).length / shapedAtOnce);
  const shaped = await mapInTurns(Array.from({ length: lots }), turn, (_, lot) => shape(withList(record, member, lot)));
  return { ...shaped[0], [member]: shaped.flatMap((each) => each[member]) };
}

async function readGiven(endpoint: Endpoint, body: Buffer | null, turn: Turn): Promise<unknown> {
  if (!endpoint.urlencoded) return await readBody(body, turn);
  return await readParameters(body, turn, endpoint.body instanceof z.ZodMiniObject ? endpoint.body.shape : {});
}

/** RFC 6749, section 5.2: invalid_request, whichever parameter it is. */
export const isRepeated = "must not be repeated";

/**
 * The parameters of a form that are in the shape. One that is sent without a value counts as absent, and none may be
 * repeated. All others are ignored (RFC 6749, section 3.2), whose names a refusal could repeat: some may be repeated (RFC
 * 8693, section 2.1), and a name may be a misplaced token. @throws Refusal invalid_request
 */
async function readParameters(body: Buffer | null, turn: Turn, shape: object): Promise<unknown> {
  const all = [...new URLSearchParams(body?.toString("utf8") ?? "")];
  const sent = all.filter(([name, value]) => value !== "" && Object.hasOwn(shape, name));
  const names = new Set<string>();
  for (const [name] of sent) {
    if (names.has(name)) throw invalid(name, isRepeated);
    names.add(name);
  }
  const value = Object.fromEntries(sent);
  await refuseUnstorable(value, turn);
  return value;
}

/**
 * The JSON of a body, of which the store could hold every text, and without members that schemas would leave out.
 * @throws Refusal invalid_request
 */
export async function readBody(body: Buffer | null, turn: Turn): Promise<unknown> {
  const value = await readJsonBody(body, turn, mostValues);
  // An escape can also hide a letter of __proto__.
  if (/\\u(00|d[89a-f])|__proto__/i.test(body?.toString("latin1") ?? "")) await refuseUnstorable(value, turn);
  return value;
}
