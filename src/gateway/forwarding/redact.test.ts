import { expect, it } from "vitest";
import { sinkOf } from "../exporters/formats.ts";
import { redact, withoutSecrets } from "./redact.ts";

const token = "sk-sink-0123456789-abcdefghijklmnopqrstuvwxyz";
const sink = sinkOf("webhook", { url: "http://127.0.0.1:9", headers: { "X-Token": token } });
const sent = { "x-token": token };

it("finds a secret however far into an answer it stands", () => {
  for (const before of [0, 256, 290, 2_040, 8_180, 60_000])
    expect(redact(`${"e".repeat(before)}${token}`, sink, sent)).not.toContain(token.slice(0, 12));
});

it.each([12, 20, token.length - 1])("finds the first %d characters of a secret that was broken off", (length) => {
  expect(withoutSecrets(`got ${token.slice(0, length)}`, sink, sent)).toBe("got [removed]");
  expect(withoutSecrets(`${token.slice(-length)} was sent`, sink, sent)).toBe("[removed] was sent");
});

it("finds long secrets that are repeated, and keeps the rest", () => {
  const long = "t".repeat(1_500) + token + "u".repeat(1_500);
  const text = `one ${long} two ${long} three ${long.slice(0, 2_000)}`;
  expect(withoutSecrets(text, sink, { "x-token": long })).toBe("one [removed] two [removed] three [removed]");
  expect(withoutSecrets("nothing of it", sink, sent)).toBe("nothing of it");
});
