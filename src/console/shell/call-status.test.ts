import { expect, it } from "vitest";
import { callStatus } from "./call-status.ts";

it("says of a call that it was answered, why it failed, or that its caller left, whatever status that is recorded as", () => {
  const call = { status: 200, error_type: null, cancelled: false };
  expect(callStatus(call)).toEqual({ kind: "running", word: "Answered" });
  expect(callStatus({ ...call, status: 502, error_type: "provider_unavailable" })).toEqual({
    kind: "trouble",
    word: "502 provider unavailable",
  });
  for (const status of [200, 499]) {
    expect(callStatus({ ...call, status, cancelled: true })).toEqual({ kind: "over", word: "The caller left" });
  }
});
