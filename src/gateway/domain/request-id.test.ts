import { expect, it } from "vitest";
import { instantOfRequest, newRequestId } from "./request-id.ts";

it("a request's id holds its instant; other texts hold none", () => {
  const at = new Date("2028-02-29T12:34:56.789Z");
  expect(instantOfRequest(newRequestId(at))).toEqual(at);
  for (const text of ["", "req-1", "gen-1", newRequestId(at).slice(4), "req-00000000-0000-4000-8000-000000000000"])
    expect(instantOfRequest(text)).toBeNull();
});
