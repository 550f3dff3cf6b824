import { expect, it } from "vitest";
import { failureMessage, nextTry } from "./failure-message.ts";

it.each([
  [403, "answered 403: AccessDenied", "The destination refuses the gateway's credential. Check the secrets"],
  [503, 'answered 503: {"error":"down"}', "The destination has an internal problem"],
  [400, "answered 400", "The destination refuses an event"],
  [null, "nothing listens at a:1", "Nothing listens at a:1"],
])("a headline says what to mend, not the raw answer: %j", (status, message, headline) =>
  expect(failureMessage({ status, message })).toBe(headline),
);

it("says when an event is tried again, and of what is due no time that has passed", () => {
  const now = new Date("2026-11-26T16:00:00Z");
  const after = (ms: number) => nextTry(new Date(now.getTime() + ms), now);
  expect([after(-60_000), after(400), after(30_000)]).toEqual([
    "and the next is due",
    "and the next is due",
    "and the next comes in 30 s",
  ]);
});
