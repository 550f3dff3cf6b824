import { useQuery } from "@tanstack/react-query";
import { listKeys } from "#contract/keys.ts";
import { minuteMs } from "#contract/time.ts";
import { now } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { useDebounced } from "../../form/use-debounced.ts";
import { parseUsd } from "../../form/usd.ts";
import { forecastLine, similarPace } from "./forecast.ts";
import type { KeyFormValues } from "./key-form.ts";

const restMs = 300;

/** What the workspace's other keys say about this form: a key of the same name, and the pace of keys like it. */
export function useSimilarKeys({ name, workspaceId, limited, limit, reset }: KeyFormValues): {
  duplicate: string | null;
  forecast: string | null;
  /** the hash of the key most like it, if one has run for two days */
  similar: string | null;
} {
  const wanted = useDebounced(name.trim(), restMs);
  const place = workspaceId === "" ? {} : { workspace_id: workspaceId };
  const sameName = useQuery({
    ...query(listKeys, { query: { ...place, q: wanted, include_disabled: "true", limit: "20" } }),
    enabled: wanted !== "",
  });
  const biggest = useQuery({
    ...query(listKeys, { query: { ...place, sort: "usage", limit: "100" } }),
    staleTime: minuteMs,
    enabled: limited === "yes",
  });
  const taken = sameName.data?.data.some((key) => key.name === wanted) === true;
  const amount = parseUsd(limit);
  const pace = similarPace(wanted, biggest.data?.data ?? [], now());
  return {
    duplicate: taken ? "Another key in this workspace has this name." : null,
    forecast:
      pace && limited === "yes" && "usd" in amount && amount.usd > 0
        ? forecastLine(pace, { limit: amount.usd, reset: reset === "none" ? null : reset }, now())
        : null,
    similar: pace?.hash ?? null,
  };
}
