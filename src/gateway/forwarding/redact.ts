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
  const shown = storedText(withoutSecrets(text, sink, sent), mostShown);
  return Buffer.from(shown).subarray(0, mostShown).toString("utf8");
}

/**
 * The whole text without a destination's secrets. An answer passes through here before anything is cut out of it: a part
 * of a secret would not be found any more.
 */
export function withoutSecrets(text: string, sink: Sink, sent: SinkRequest["headers"] = {}): string {
  let clean = text;
  for (const secret of secretsOf(sink, sent)) {
    clean = clean.replaceAll(secret, "[removed]");
    if (secret.length >= shortestTold) clean = withoutEnds(clean, secret);
  }
  return clean;
}

/** This much of a secret's beginning or end gives it away where an answer was broken off. */
const telling = 12;
const shortestTold = 16;

function withoutEnds(text: string, secret: string): string {
  const [start, end] = [secret.slice(0, telling), secret.slice(-telling)];
  const kept: string[] = [];
  let from = 0;
  const drop = (begin: number, past: number) => {
    kept.push(text.slice(from, Math.max(from, begin)), "[removed]");
    from = past;
  };
  for (;;) {
    const [first, last] = [text.indexOf(start, from), text.indexOf(end, from)];
    if (first < 0 && last < 0) break;
    if (last < 0 || (first >= 0 && first <= last)) {
      let length = telling;
      while (length < secret.length && text[first + length] === secret[length]) length += 1;
      drop(first, first + length);
    } else {
      let begin = last;
      while (begin > from && text[begin - 1] === secret.at(begin - 1 - last - telling)) begin -= 1;
      drop(begin, last + telling);
    }
  }
  return kept.length === 0 ? text : [...kept, text.slice(from)].join("");
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
