import { useQuery } from "@tanstack/react-query";
import { listGenerations, type CallRecord } from "#contract/calls.ts";
import { listRefusedCalls, type RefusedCalls } from "#contract/refused-calls.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../api/query.ts";
import { allWorkspaces } from "../paths.ts";

/** A call's id, and the id that every answer carries in `x-request-id`, as far as they can be told while they are typed. */
export const isCallId = (text: string) => /^gen-(vid-)?\w{8,}/.test(text);
export const isRequestId = (text: string) => /^req-\w{8,}/.test(text);

/** The id of the call that began a video's job, where an id is the job's. */
export const callIdOf = (id: string) => id.replace(/^gen-vid-/, "gen-");

/** The calls that an id matches: those that were made, and those that were refused before a model was called. */
export function useCallsOf(id: string) {
  const isRequest = isRequestId(id);
  const made = useQuery({
    ...query(listGenerations, {
      query: { ...(isRequest ? { request_id: id } : { id: callIdOf(id) }), workspace_id: allWorkspaces },
    }),
    enabled: isRequest || isCallId(id),
  });
  const refused = useQuery({
    ...query(listRefusedCalls, { query: { request_id: id, workspace_id: allWorkspaces } }),
    enabled: isRequest,
  });
  const calls: readonly CallRecord[] = made.data?.data ?? [];
  const turned: readonly RefusedCalls[] = isRequest ? (refused.data?.data ?? []) : [];
  return {
    calls,
    refused: turned,
    isFetching: made.isFetching || refused.isFetching,
    error: made.error ?? refused.error,
    retry: () => {
      void made.refetch();
      if (isRequest) void refused.refetch();
    },
  };
}

/** The filters of the calls page that show a refused call: such calls are counted by the minute. */
export function filtersOfRefused({ key_hash: key, status, last_at: at }: RefusedCalls) {
  const minute = Math.floor(Date.parse(at) / minuteMs) * minuteMs;
  return {
    key,
    status: String(status),
    since: new Date(minute).toISOString(),
    until: new Date(minute + minuteMs).toISOString(),
  };
}
