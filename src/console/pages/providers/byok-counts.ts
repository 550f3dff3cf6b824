import { useQuery } from "@tanstack/react-query";
import { listByokKeys } from "#contract/byok.ts";
import { query } from "../../api/query.ts";

/** How many own keys of workspaces each provider has, those switched off aside; undefined while that is not known. */
export function useByokCounts() {
  const read = useQuery(query(listByokKeys, { query: { limit: "100" } }));
  const keys = read.data?.data;
  return {
    failed: read.isError,
    retrying: read.isFetching,
    retry: () => void read.refetch(),
    of: (slug: string): string | undefined => {
      if (keys === undefined || read.data === undefined) return undefined;
      const count = keys.filter((key) => key.provider === slug && !key.disabled).length;
      return read.data.total_count > keys.length ? `${count}+` : String(count);
    },
  };
}
