import { useQuery } from "@tanstack/react-query";
import { listManagementKeys } from "#contract/management-keys.ts";
import { query } from "../../api/query.ts";

const refreshEveryMs = 30_000;

/** All management keys: there are few, so that the list is the read for one of them too. */
export function useManagementKeys() {
  return useQuery({
    ...query(listManagementKeys, {}),
    // somebody else may change or delete one
    refetchInterval: refreshEveryMs,
    refetchOnWindowFocus: "always",
  });
}
