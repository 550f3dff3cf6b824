import { expect, it } from "vitest";
import { deliveryFailure } from "./delivery-failure.ts";

it.each([
  [403, "answered 403: AccessDenied", "The destination refuses the gateway's credential. Check the secrets"],
  [503, 'answered 503: {"error":"down"}', "The destination is not accepting events at the moment"],
  [502, "answered 502", "The destination has an internal problem"],
  [400, "answered 400", "The destination refuses an event"],
  [null, "nothing listens at a:1.", "Nothing listens at a:1"],
])("a failed delivery is said as what to mend: %j", (status, message, line) =>
  expect(deliveryFailure({ status, message })).toBe(line),
);
