import type { IncomingHttpHeaders } from "node:http";
import { invalid } from "../domain/refusal.ts";

const longest = 256;

/** The session that a call belongs to: `session_id` of the body, else the header. @throws Refusal for one that is too long */
export function sessionIdOf(inBody: string | null, headers: IncomingHttpHeaders): string | null {
  if (inBody !== null) return inBody;
  const header = headers["x-session-id"];
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined || value === "") return null;
  if (value.length > longest) throw invalid("x-session-id", `must have at most ${longest} characters`);
  return value;
}
