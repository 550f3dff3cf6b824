import { useQuery } from "@tanstack/react-query";
import { getGeneration } from "#contract/generations.ts";
import { query } from "../../api/query.ts";
import { formatLatency } from "../../format.ts";

/** Who answered a run's first call, and every attempt where there was more than one. */
export function AnsweredBy({ generation }: { generation: string }) {
  const { data } = useQuery(query(getGeneration, { query: { id: generation } }));
  if (!data) return null;
  const { provider_name, provider_responses } = data.data;
  const attempts = provider_responses ?? [];
  return (
    <span>
      {provider_name ?? "nobody"} answered
      {attempts.length > 1 &&
        ` (${attempts.map(({ provider_name: name, status, latency }) => `${name} ${status ?? "no answer"} after ${formatLatency(latency)}`).join(", then ")})`}
    </span>
  );
}
