import { useQuery } from "@tanstack/react-query";
import { queryAnalytics } from "#contract/analytics.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../api/query.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { promptCacheText } from "./prompt-cache-text.ts";

interface PromptCacheProps {
  /** whose calls */
  of: { field: "model" | "api_key_id"; value: string };
}

/** How much of the input of the last seven days came from a cache, the vendors' or the gateway's own, and what that saved. */
export function PromptCache({ of }: PromptCacheProps) {
  const found = useQuery({
    ...query(queryAnalytics, {
      body: {
        metrics: ["tokens_prompt", "cached_tokens", "usage_cache"],
        filters: [{ ...of, operator: "eq" }],
      },
    }),
    staleTime: minuteMs,
  });
  if (found.isError) return <span className="text-fg-2">Not known: the calls did not load.</span>;
  if (found.data === undefined) return <Skeleton width={160} height={12} />;
  return <>{promptCacheText(found.data.data)}</>;
}
