import type { CallRecord } from "#contract/calls.ts";
import type { StatusKind } from "../ui/Status.tsx";

/** What became of a call, in a shape and words: the status that the caller got, and what kind of error it was. */
export function callStatus({
  status,
  error_type: error,
  cancelled,
}: Pick<CallRecord, "status" | "error_type" | "cancelled">): { kind: StatusKind; word: string } {
  if (status >= 400) {
    return { kind: "trouble", word: error === null ? String(status) : `${status} ${error.replaceAll("_", " ")}` };
  }
  if (cancelled) return { kind: "over", word: "The caller left" };
  return { kind: "running", word: "Answered" };
}
