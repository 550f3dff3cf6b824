import { queryOptions } from "@tanstack/react-query";
import { getKey, type KeyRecord } from "#contract/keys.ts";
import { callPath, callTagged } from "../../api/call.ts";
import { queryKey } from "../../api/query.ts";

/** A key with the version of its settings, which a change names so that nobody else's change is lost. */
export interface VersionedKey {
  record: KeyRecord;
  etag: string | null;
}

export const versionedKey = (hash: string) =>
  queryOptions<VersionedKey>({
    queryKey: [...queryKey(getKey, { params: { hash } }), "version"],
    queryFn: async ({ signal }) => {
      const { answer, etag } = await callTagged(getKey, { params: { hash } }, { signal });
      return { record: answer.data, etag };
    },
    // a form begins with what is stored now, and notices what somebody else changes meanwhile
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 15_000,
    meta: { path: callPath(getKey, { params: { hash } }) },
  });
