import { keepsNothingOf } from "../../domain/guardrails/effective.ts";
import { invalid, Refusal } from "../../domain/refusal.ts";
import { isObject, readText, type JsonObject } from "../../providers/answer.ts";
import { joinInTurns, takeTurns, type Turn } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { FormedCall } from "../caller-form.ts";
import type { RelayDeps } from "../deps.ts";
import { holdsAny } from "../holds-any.ts";
import type { ModelCall } from "../model-call.ts";
import { readBody } from "../read-body.ts";
import { containerMember, itemType } from "./items.ts";

const traces = [Buffer.from("item_reference")];
const mostValues = 100_000;
const mostNamed = 2_048;
/** As for a request that has its items in it. */
const mostBytes = 32 * 1_048_576;

/**
 * The call with the items of earlier answers that it names by their ids in it, for everything that comes after: the
 * request is as if the caller had sent them whole. Ids that are not known stay. Its own answer's items are kept as well.
 * @throws Refusal
 */
export async function withKeptItems({ keptItems }: RelayDeps, call: ModelCall): Promise<ModelCall> {
  const { spendId, hash } = call.credential;
  const keeping: ModelCall = {
    ...call,
    keepItems: async (items) => await keptItems.keep(spendId, items, takeTurns(hash, { patient: true })),
  };
  const turn = takeTurns(hash);
  if (!(await holdsAny(call.body, traces, turn))) return keeping;
  const json = await readBody(call.body, turn, mostValues);
  const ids = referencesIn(json["input"]);
  if (ids.length === 0) return keeping;
  if (ids.length > mostNamed)
    throw invalid("input", `names ${ids.length} items by their ids: at most ${mostNamed} are allowed`);
  const items = await keptItems.find(spendId, ids, mostBytes - call.body.length);
  if (items === null) {
    const most = `${mostBytes / 1_048_576} MB`;
    throw new Refusal("payload_too_large", `With the items that it names by their ids, a call can have ${most}`);
  }
  call.room.take(ids.reduce((sum, id) => sum + (items.get(id)?.length ?? 0), call.body.length));
  json["input"] = await restored(json["input"] as readonly unknown[], items, turn);
  return { ...keeping, body: await joinInTurns(await writeJsonInTurns(json, turn), turn) };
}

const referenceOf = (item: unknown): string | null =>
  isObject(item) && itemType(item) === "item_reference" ? readText(item["id"]) : null;

function referencesIn(input: unknown): string[] {
  return Array.isArray(input) ? input.flatMap((item) => referenceOf(item) ?? []) : [];
}

async function restored(input: readonly unknown[], items: ReadonlyMap<string, Buffer>, turn: Turn): Promise<unknown[]> {
  const whole: unknown[] = [];
  for (const item of input) {
    const id = referenceOf(item);
    const known = id === null ? undefined : items.get(id);
    whole.push(...(known === undefined ? [item] : sendable(await readBody(known, turn, mostValues))));
    if (turn.isOver()) await turn.next();
  }
  return whole;
}

/**
 * An item of an answer as one of a request. A provider looks up a message or a thought by its id, although it was not
 * asked to keep it; and the container of a call is no longer there.
 */
function sendable(item: JsonObject): JsonObject[] {
  const type = itemType(item);
  if (containerMember(item) !== null) return [];
  const isLookedUp = type === "message" || (type === "reasoning" && (item["encrypted_content"] ?? "") === "");
  if (!isLookedUp) return [item];
  const { id: _, ...rest } = item;
  return [rest];
}

/**
 * Keeps the items of an answer for the caller, unless something asks that nothing is kept. Call it before the answer's
 * last byte: the caller may come back at once. Never fails.
 */
export async function keepAnswered(
  { context: { call }, policy, request }: FormedCall,
  items: (turn: Turn) => readonly JsonObject[] | Promise<readonly JsonObject[]>,
): Promise<void> {
  const { passed, preferences, models } = request;
  if (call.keepItems === undefined || call.background !== undefined || passed?.json["store"] === false) return;
  if (preferences.zdr === true || preferences.data_collection === "deny") return;
  if (keepsNothingOf(policy.guardrails, models)) return;
  try {
    await call.keepItems(await items(takeTurns(call.credential.hash, { patient: true })));
  } catch {
    // The answer is given all the same: its caller can send its items whole.
  }
}
