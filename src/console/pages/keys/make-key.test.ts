import { describe, expect, it } from "vitest";
import { ApiError, foreignAnswer, NetworkError } from "../../api/errors.ts";
import { randomToken } from "../../api/request-token.ts";
import { madeBefore, outcomeUnknown } from "./make-key.ts";

const refusal = (status: number, type: string) => new ApiError(status, "no", { metadata: { error_type: type } });

describe("outcomeUnknown", () => {
  it.each([
    ["no answer", new NetworkError("unreachable")],
    ["no answer in time", new NetworkError("timeout")],
    ["a proxy's answer", foreignAnswer(502)],
    ["the gateway's own timeout", refusal(524, "timeout")],
    ["a proxy's 500", foreignAnswer(500)],
  ])("is so after %s", (_, error) => expect(outcomeUnknown(error)).toBe(true));

  it.each([
    ["a refusal", refusal(400, "invalid_request")],
    ["an ended session", refusal(401, "authentication")],
    ["a repeat", refusal(409, "conflict")],
    ["the gateway's own failure, whose transaction is undone", refusal(500, "server")],
    ["a bug", new TypeError("x is undefined")],
  ])("is not so after %s", (_, error) => expect(outcomeUnknown(error)).toBe(false));
});

it("finds the record in the answer to a repeat", () => {
  const record = { hash: "ab".repeat(32), name: "a" };
  expect(madeBefore(new ApiError(409, "again", { metadata: { error_type: "conflict", data: record } }))).toEqual(
    record,
  );
  expect(madeBefore(refusal(409, "conflict"))).toBeNull();
  expect(madeBefore(new ApiError(409, "gone", { metadata: { data: null } }))).toBeNull();
});

it("makes tokens that differ and fit a header", () => {
  expect(randomToken()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomToken()).not.toBe(randomToken());
});
