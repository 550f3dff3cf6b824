import { expect, it } from "vitest";
import { callStatus } from "./call-status.ts";
import { closestFirst, isOfWorkspace } from "./key-matches.ts";
import { promptCacheText } from "./prompt-cache-text.ts";

const call = { status: 200, error_type: null, cancelled: false, api_type: "embeddings" as const, attempts: [] };
const attempt = { provider: "studio", model: "studio/camera", latency_ms: 40, is_byok: false, error: "blocked" };
const failed = { ...call, status: 502, error_type: "provider_unavailable" as const };
const job = (status: number) => ({ ...failed, api_type: "videos" as const, attempts: [{ ...attempt, status }] });
it.each([
  ["was answered", call, "running", "Answered"],
  ["failed", failed, "trouble", "502 provider unavailable"],
  // whatever status that is recorded as
  ["was left by its caller", { ...call, cancelled: true }, "over", "The caller left"],
  ["was left by its caller", { ...call, status: 499, cancelled: true }, "over", "The caller left"],
  ["is a video job that was accepted", job(200), "trouble", "No video made"],
  ["is a video job that was refused", job(500), "trouble", "502 provider unavailable"],
])("of a call that %s: %#", (_, record, kind, word) => expect(callStatus(record)).toEqual({ kind, word }));

it.each<[string, number, string, string[]?]>([
  ["2000000", 1.5, "41% of 2M input tokens of 7 days; caches saved $1.50"],
  ["2000000", 0, "41% of 2M input tokens of 7 days"],
  ["100", 0, "0% of 100 input tokens of the latest calls of 7 days", ["Only calls since …"]],
])(
  "of %s input tokens says how much caches read, and what it saved: $%d",
  (tokens_prompt, usage_cache, words, warnings) => {
    const row = { tokens_prompt, cached_tokens: tokens_prompt === "100" ? "0" : "820000", usage_cache };
    const metadata = { query_time_ms: 1, row_count: 1, truncated: false };
    expect(promptCacheText({ data: [row], metadata, ...(warnings && { warnings }) })).toBe(words);
    const none = { ...row, tokens_prompt: "0", cached_tokens: "0", usage_cache: 0 };
    expect(promptCacheText({ data: [none], metadata })).toMatch(/^No input/);
  },
);

const key = (name: string) => ({ name, label: "sk-gh-v1-abc...wxyz", hash: "0", workspace_id: "ws-1" });
it("lists the key of exactly this name first, then those that begin with it", () => {
  const keys = ["unlimited", "limited-2", "Limited", "a limited one"].map(key);
  const names = closestFirst(keys, "limited").map(({ name }) => name);
  expect(names).toEqual(["Limited", "limited-2", "unlimited", "a limited one"]);
});

it("takes no key for another workspace's where all workspaces are shown", () => {
  const workspaces = ["all", undefined, "ws-1", "ws-2"];
  expect(workspaces.map((one) => isOfWorkspace(key("a"), one))).toEqual([true, true, true, false]);
});
