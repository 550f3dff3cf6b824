import { countNames, jsonMembers } from "../json-members.ts";
import type { JsonObject } from "../providers/answer.ts";
import { joinInTurns, runInTurns, type Turn } from "../turns.ts";
import { writeJsonInTurns } from "../write-json.ts";
import { openObject } from "../json-bytes.ts";

/**
 * A body's bytes and their members. Where a member comes twice they are written again: readers differ in which of the
 * two they take, and what is sent must be what was checked.
 * @param json what the bytes say
 */
export async function unambiguous(bytes: Buffer, json: JsonObject, turn: Turn) {
  const given = bytes.subarray(Math.max(0, bytes.indexOf(openObject)));
  const members = await runInTurns(jsonMembers(given), turn);
  if (members.names === (await runInTurns(countNames(json), turn))) return { bytes: given, members };
  const written = await joinInTurns(await writeJsonInTurns(json, turn), turn);
  return { bytes: written, members: await runInTurns(jsonMembers(written), turn) };
}
