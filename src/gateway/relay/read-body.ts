import type * as z from "zod/mini";
import { invalid, invalidMembers } from "../domain/refusal.ts";
import { readJsonBody } from "../json-body.ts";
import { isObject, type JsonObject } from "../providers/answer.ts";
import { isShortJson } from "../read-json.ts";
import type { Turn } from "../turns.ts";

/**
 * The JSON object of a model call's body.
 * @param mostValues lists, objects, and what is in them, that a long body may hold
 * @throws Refusal invalid_request
 */
export async function readBody(body: Buffer, turn: Turn, mostValues: number): Promise<JsonObject> {
  const value = await readJsonBody(body, turn, mostValues);
  if (!isObject(value)) throw invalid("", "The request body must be an object");
  return value;
}

/**
 * The body of a model call whose contract alone bounds it.
 * @throws Refusal invalid_request, naming the member and what would be valid
 */
export async function readMembers<Body>(
  schema: z.ZodMiniType<Body>,
  body: Buffer,
  turn: Turn,
  mostValues: number,
): Promise<Body> {
  const json = await readBody(body, turn, mostValues);
  if (!isShortJson(body)) await turn.next();
  const checked = schema.safeParse(json);
  if (!checked.success) throw invalidMembers(checked.error.issues);
  return checked.data;
}
