import type { CallRecord } from "#contract/calls.ts";
import type { StatusKind } from "../ui/Status.tsx";

type Outcome = Pick<CallRecord, "status" | "error_type" | "cancelled" | "api_type" | "attempts">;

/** A call's outcome, as a shape and words: the status that the caller received, and the kind of error. */
export function callStatus({ status, error_type: error, cancelled, api_type: type, attempts }: Outcome): {
  kind: StatusKind;
  word: string;
} {
  // recorded as 499, a status that is never sent
  if (cancelled) return { kind: "over", word: "The caller left" };
  if (status >= 400) {
    // a provider accepted the job, which failed later: its caller was answered with 202
    if (type === "videos" && (attempts.at(-1)?.status ?? 400) < 400) return { kind: "trouble", word: "No video made" };
    return { kind: "trouble", word: error === null ? String(status) : `${status} ${error.replaceAll("_", " ")}` };
  }
  return { kind: "running", word: "Answered" };
}
