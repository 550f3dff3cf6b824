import { expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { ApiError, foreignAnswer, NetworkError } from "../../api/errors.ts";
import { randomToken } from "../../api/request-token.ts";
import { madeBefore, outcomeUnknown } from "./make-key.ts";
import { findUnknownOutcome } from "./unknown-outcome.ts";

const refusal = (status: number, error_type: string, data?: unknown) =>
  new ApiError(status, "no", { metadata: { error_type, data } });

it.each([
  [true, "no answer", new NetworkError("unreachable")],
  [true, "no answer in time", new NetworkError("timeout")],
  [true, "a proxy's answer", foreignAnswer(502)],
  [true, "the gateway's own timeout", refusal(524, "timeout")],
  [true, "a proxy's 500", foreignAnswer(500)],
  [false, "a refusal", refusal(400, "invalid_request")],
  [false, "an ended session", refusal(401, "authentication")],
  [false, "a repeat", refusal(409, "conflict")],
  [false, "the gateway's own failure, whose transaction is undone", refusal(500, "server")],
  [false, "a bug", new TypeError("x is undefined")],
])("that the outcome is unknown is %s after %s", (unknown, _, error) => expect(outcomeUnknown(error)).toBe(unknown));

it("finds the record in the answer to a repeat", () => {
  const record = { hash: "ab".repeat(32), name: "a" };
  expect(madeBefore(refusal(409, "conflict", record))).toEqual(record);
  expect(madeBefore(refusal(409, "conflict"))).toBeNull();
  expect(madeBefore(new ApiError(409, "gone", { metadata: { data: null } }))).toBeNull();
});

const at = new Date("2026-11-20T17:42:00Z");
const workspace_id = "7e0c5a70-0f9f-4f2e-9d4a-0d6a7a5b9c11";
it.each([
  ["finds the key that arrived unseen", {}, "new"],
  ["finds it by a clock that is a little behind", { created_at: "2026-11-20T17:41:58Z" }, "new"],
  ["does not take another name for it", { name: "prod-searches" }, undefined],
  ["does not take another workspace's for it", { workspace_id: "00000000-0000-4000-8000-000000000000" }, undefined],
  ["does not take an older one for it", { created_at: "2026-11-20T17:41:00Z" }, undefined],
  ["does not take one that was there before for it", { hash: "old" }, undefined],
])("%s", (_, change, hash) => {
  const key = { hash: "new", name: "prod-search", workspace_id, created_at: at.toISOString() } as KeyRecord;
  const sent = { name: "prod-search", workspaceId: workspace_id, at, known: new Set(["old"]) };
  expect(
    findUnknownOutcome(
      [
        { ...key, name: "other" },
        { ...key, ...change },
      ],
      sent,
    )?.hash,
  ).toBe(hash);
});

it("makes tokens that differ and fit a header", () => {
  expect(randomToken()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomToken()).not.toBe(randomToken());
});
