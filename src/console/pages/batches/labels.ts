import type { BatchRecord } from "#contract/batches.ts";
import { counted, formatCount } from "../../format.ts";
import { hasEnded, restOf } from "./status.ts";

const endpointNames: Readonly<Record<string, string>> = {
  "/v1/chat/completions": "Chat",
  "/v1/responses": "Responses",
  "/v1/messages": "Messages",
  "/v1/embeddings": "Embeddings",
};

/** What each request of a batch is, in a word. */
export const endpointName = (endpoint: string) => endpointNames[endpoint] ?? endpoint;

/** The end of an id, which tells it from the ids of the same minute. */
export const shortId = (id: string) => id.replace(/^([a-z]+[-_]).*(.{8})$/, "$1…$2");

export const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

/** "1,240 of 50,000 answered"; what failed and what is left are said apart. */
export function progressWords({ request_counts: { total, completed } }: Pick<BatchRecord, "request_counts">): string {
  return `${formatCount(completed)} of ${formatCount(total)} answered`;
}

/** What else there is to say of the requests: "12 failed, 48,748 to come". */
export function otherWords(batch: Pick<BatchRecord, "request_counts" | "finalized_at" | "status">): string {
  const { failed } = batch.request_counts;
  const rest = restOf(batch.request_counts);
  const unmade = hasEnded(batch) ? "not made" : batch.status === "cancelling" ? "left" : "to come";
  return [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(rest > 0 ? [`${formatCount(rest)} ${unmade}`] : []),
  ].join(", ");
}

/** Both in one sentence, for who cannot see the bars. */
export function progressSentence(batch: BatchRecord): string {
  const others = otherWords(batch);
  const { total, completed } = batch.request_counts;
  return `${formatCount(completed)} of ${counted(total, "request")} answered${others === "" ? "" : `, ${others}`}`;
}
