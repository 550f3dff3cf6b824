import { expect, it } from "vitest";
import { failureMessage } from "./failure-message.ts";

it.each([
  [403, "answered 403: AccessDenied", "The destination refuses the gateway's credential. Check the secrets"],
  [503, 'answered 503: {"error":"down"}', "The destination has an internal problem"],
  [400, "answered 400", "The destination refuses an event"],
  [null, "nothing listens at a:1", "Nothing listens at a:1"],
])("a headline says what to mend, not the raw answer: %j", (status, message, headline) => {
  expect(failureMessage({ status, message })).toBe(headline);
});
