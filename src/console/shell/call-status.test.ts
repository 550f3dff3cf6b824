import { expect, it } from "vitest";
import { callStatus } from "./call-status.ts";

it("says of a call that it was answered, why it failed, or that its caller left, whatever status that is recorded as", () => {
  const call = { status: 200, error_type: null, cancelled: false, api_type: "embeddings" as const, attempts: [] };
  expect(callStatus(call)).toEqual({ kind: "running", word: "Answered" });
  expect(callStatus({ ...call, status: 502, error_type: "provider_unavailable" })).toEqual({
    kind: "trouble",
    word: "502 provider unavailable",
  });
  for (const status of [200, 499]) {
    expect(callStatus({ ...call, status, cancelled: true })).toEqual({ kind: "over", word: "The caller left" });
  }
});

it("says of a video job that was accepted that there is no video, and of one that was refused with what", () => {
  const attempt = { provider: "studio", model: "studio/camera", latency_ms: 40, is_byok: false, error: "blocked" };
  const job = { error_type: "provider_unavailable" as const, cancelled: false, api_type: "videos" as const };
  const failed = { ...job, status: 502, attempts: [{ ...attempt, status: 200 }] };
  expect(callStatus(failed)).toEqual({ kind: "trouble", word: "No video made" });
  const refused = { ...job, status: 502, attempts: [{ ...attempt, status: 500 }] };
  expect(callStatus(refused).word).toBe("502 provider unavailable");
});
