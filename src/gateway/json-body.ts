import { invalid } from "./domain/refusal.ts";
import { readJson, UnreadableJson } from "./read-json.ts";
import type { Turn } from "./turns.ts";

/**
 * The JSON of a request's body.
 * @param mostValues lists, objects, and what is in them, that a long body may hold
 * @throws Refusal invalid_request that says where it stops being JSON, or what it has too much of, and never repeats
 * what it holds
 */
export async function readJsonBody(body: Buffer | null, turn: Turn, mostValues: number): Promise<unknown> {
  if (body === null || body.length === 0) throw invalid("", "The request body is missing: send a JSON object");
  try {
    return await readJson(withoutByteOrderMark(body), turn, mostValues);
  } catch (error) {
    if (error instanceof UnreadableJson) throw invalid("", `The request body ${error.message}`);
    throw error;
  }
}

/** Not to be sent, and may be ignored: https://www.rfc-editor.org/rfc/rfc8259#section-8.1 */
function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

/** PostgreSQL keeps neither U+0000 nor half of a surrogate pair in a text, and a copied object no member `__proto__`. */
export async function refuseUnstorable(value: unknown, turn: Turn): Promise<void> {
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
      if (key === "__proto__")
        throw invalid(path === "" ? key : `${path}.${key}`, "is not a member that can be given here");
      pending.push({ path: path === "" ? key : `${path}.${key}`, value: member });
    }
  }
}
