import { isObject } from "../../providers/answer.ts";
import { jsonMembers, withMembers } from "../../json-members.ts";
import { runInTurns, type Turn } from "../../turns.ts";
import { openObject } from "../../json-bytes.ts";

/** Members that hold usage: those of a stream's events that are the answer as a whole, and Groq's own. */
const holders: ReadonlySet<string> = new Set(["message", "response", "x_groq"]);
/** No usage comes near this; one beyond it would be read in one go. */
const longestUsage = 65_536;
const usageMark = Buffer.from('"usage"');
const frameEnd = Buffer.from("\n\n");

/**
 * An answer's bytes with a usage of zero: whoever is given it again has used nothing.
 * @throws RangeError for a usage that is too long
 */
export async function withoutUsage(bytes: Buffer, streamed: boolean, turn: Turn): Promise<Buffer> {
  if (!streamed) return await objectWithoutUsage(bytes, turn);
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(frameEnd, from);
    const to = end === -1 ? bytes.length : end + frameEnd.length;
    pieces.push(await frameWithoutUsage(bytes.subarray(from, to), turn));
    from = to;
    if (turn.isOver()) await turn.next();
  }
  return Buffer.concat(pieces);
}

/** @param frame an event, its data on one line */
async function frameWithoutUsage(frame: Buffer, turn: Turn): Promise<Buffer> {
  const at = frame.indexOf(openObject);
  if (at === -1 || !frame.includes(usageMark)) return frame;
  return Buffer.concat([frame.subarray(0, at), await objectWithoutUsage(frame.subarray(at), turn)]);
}

async function objectWithoutUsage(bytes: Buffer, turn: Turn): Promise<Buffer> {
  const found = await runInTurns(jsonMembers(bytes), turn);
  const changes = new Map<string, string>();
  for (const { name, valueFrom, to } of found.members) {
    const value = bytes.subarray(valueFrom, to);
    if (value[0] !== openObject) continue;
    if (name === "usage") {
      if (value.length > longestUsage) throw new RangeError("the usage is too long to be read");
      changes.set(name, JSON.stringify(zeroed(JSON.parse(value.toString()))));
    } else if (holders.has(name)) changes.set(name, (await objectWithoutUsage(value, turn)).toString());
  }
  return Buffer.concat(withMembers(bytes, found, changes));
}

/** Each count and each amount of it as zero. */
function zeroed(value: unknown): unknown {
  if (typeof value === "number") return 0;
  if (Array.isArray(value)) return value.map(zeroed);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, zeroed(each)]))
    : value;
}
