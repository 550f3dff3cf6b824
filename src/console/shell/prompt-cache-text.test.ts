import { expect, it } from "vitest";
import { promptCacheText } from "./prompt-cache-text.ts";

const result = (row: Record<string, string | number | null>, warnings?: string[]) => ({
  data: [row],
  metadata: { query_time_ms: 1, row_count: 1, truncated: false },
  ...(warnings && { warnings }),
});

it("says the share of the tokens, and what it saved where that is something", () => {
  const row = { tokens_prompt: "2000000", cached_tokens: "820000", usage_cache: 1.5 };
  expect(promptCacheText(result(row))).toBe("41% of 2M input tokens of 7 days; caches saved $1.50");
  expect(promptCacheText(result({ ...row, usage_cache: 0 }))).toBe("41% of 2M input tokens of 7 days");
});

it("says that there was nothing, and that not all calls count", () => {
  expect(promptCacheText(result({ tokens_prompt: "0", cached_tokens: "0", usage_cache: 0 }))).toMatch(/^No input/);
  const row = { tokens_prompt: "100", cached_tokens: "0", usage_cache: 0 };
  expect(promptCacheText(result(row, ["Only calls since …"]))).toBe(
    "0% of 100 input tokens of the latest calls of 7 days",
  );
});
