import { useQuery } from "@tanstack/react-query";
import { listManagementKeys } from "#contract/management-keys.ts";
import { query } from "../../api/query.ts";

/** All management keys: there are few, so that the list is the read for one of them too. */
export function useManagementKeys() {
  return useQuery(query(listManagementKeys, {}));
}
