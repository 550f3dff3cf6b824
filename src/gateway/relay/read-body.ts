import { invalid } from "../domain/refusal.ts";
import { readJsonBody } from "../json-body.ts";
import { isObject, type JsonObject } from "../providers/answer.ts";
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
