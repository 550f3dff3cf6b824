import { storedText } from "../domain/stored-text.ts";
import type { Sink, SinkRequest } from "../exporters/format.ts";
import { configMembers } from "#contract/destination-kinds.ts";

/** The part of a destination's answer that is shown. */
const mostShown = 2_048;

/**
 * Removes a destination's secrets from a text, however they are encoded there, and cuts it to 2 KB that a store can
 * hold.
 * @param sent the headers of the request that the text answers: a destination may echo a header derived from a secret
 */
export function redact(text: string, sink: Sink, sent: SinkRequest["headers"] = {}): string {
  let shown = storedText(text, mostShown * 4);
  for (const secret of secretsOf(sink, sent)) shown = shown.replaceAll(secret, "[removed]");
  return Buffer.from(shown).subarray(0, mostShown).toString("utf8");
}

/** Headers that say nothing of the sender. */
const harmless: ReadonlySet<string> = new Set(["content-type", "content-encoding", "user-agent", "x-test-connection"]);

function secretsOf(sink: Sink, sent: SinkRequest["headers"]): string[] {
  const credentials = Object.entries(sent).flatMap(([name, value]) => (harmless.has(name) ? [] : [value]));
  const members = configMembers(sink.type);
  const plain = [
    ...Object.entries(sink.config).flatMap(([name, value]) => (members[name]?.secret === true ? [value] : [])),
    ...[...Object.values(sink.headers), ...credentials].flatMap((value) => [value, value.replace(/^\w+ +/, "")]),
  ].filter((secret) => secret.length >= 4);
  const encoded = plain.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
  ]);
  // A DSN's public key and the two halves of basic authentication are secrets in themselves.
  const within = plain.flatMap((secret) => /^https:\/\/(\w{8,})[:@]/.exec(secret)?.[1] ?? []);
  return [...new Set([...encoded, ...within])].toSorted((a, b) => b.length - a.length);
}
