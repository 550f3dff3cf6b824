import { configMembers } from "#contract/destination-kinds.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { isOwnAddress } from "../domain/destinations/config.ts";
import { shownAddress } from "../domain/secrets/address.ts";
import type { Format, Sink, SinkRequest } from "../exporters/format.ts";
import type { Outcome } from "./bisect.ts";
import { redact, withoutSecrets } from "./redact.ts";
import type { Send } from "./transport.ts";

export interface Attempted {
  readonly outcome: Outcome;
  /** what was last sent, without headers and body */
  readonly request: { method: string; url: string; events: number; bytes: number } | null;
}

/** The connection existed, and ended when the events were sent: a filter on the way may do that to one of them. */
const cutOff: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Sends events in one try. Where a format makes several requests of them, all have to be accepted. What is said of it holds no secret. */
export async function attemptEvents(
  { format, sink, send, now }: { format: Format; sink: Sink; send: Send; now: () => Date },
  events: readonly ForwardedEvent[],
  signal: AbortSignal,
): Promise<Attempted> {
  let request: Attempted["request"] = null;
  let requests: SinkRequest[];
  try {
    requests = await format.toRequests(sink, events, now());
  } catch (error) {
    const message = `cannot be written for this destination: ${error instanceof Error ? error.message : "unknown"}`;
    return {
      outcome: { outcome: "rejected", message: redact(message, sink), status: null, body: null, afterMs: null },
      request,
    };
  }
  for (const each of requests) {
    request = {
      method: each.method,
      url: storedAddress(each.url, sink),
      events: events.length,
      bytes: each.bytes?.length ?? Buffer.byteLength(each.body),
    };
    const shown = (text: string) => redact(text, sink, each.headers);
    const sent = await send(each, signal);
    if ("failed" in sent) {
      const about = { message: shown(sent.failed), status: null, body: null, afterMs: null };
      return { outcome: { outcome: cutOff.has(sent.code ?? "") ? "errored" : "unavailable", ...about }, request };
    }
    const answer = { ...sent.answer, body: withoutSecrets(sent.answer.body, sink, each.headers) };
    const verdict = format.readAnswer(answer, now());
    if (verdict.verdict === "accepted") continue;
    const about = { message: shown(verdict.message), status: answer.status, body: shown(answer.body) };
    if (verdict.verdict === "refused") {
      const settings = answer.status === 401 || answer.status === 407 || answer.status < 400;
      return { outcome: { outcome: settings ? "unavailable" : "errored", ...about, afterMs: null }, request };
    }
    if (verdict.verdict !== "retry") {
      return { outcome: { outcome: verdict.verdict, ...about, afterMs: null }, request };
    }
    // Being busy is never an event's fault; an error may be.
    const errored = answer.status >= 500 && answer.status !== 503 && verdict.afterMs === null;
    return { outcome: { outcome: errored ? "errored" : "unavailable", ...about, afterMs: verdict.afterMs }, request };
  }
  return { outcome: { outcome: "accepted" }, request };
}

/** Some kinds send data in the query that need not be stored, and an address that somebody entered may have a token in it. */
function storedAddress(url: string, { type, config }: Sink): string {
  const members = configMembers(type);
  const isOwn = Object.entries(config).some(([name, value]) => isOwnAddress(members[name], value));
  return isOwn ? shownAddress(url) : url.replace(/[?#].*$/s, "");
}
