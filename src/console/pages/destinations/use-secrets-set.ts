import { useQuery } from "@tanstack/react-query";
import type { DestinationRecord } from "#contract/destinations.ts";

/** When a stored secret was set and by whom, as a sentence; undefined where that is not known. */
export function useSecretsSet(base: DestinationRecord | null): (member: string) => string | undefined {
  const { data } = useQuery({
    queryKey: ["listAudit", base?.id, base?.updated_at, "secrets"],
    queryFn: async ({ signal }) => base && (await import("./read-secrets-set.ts")).readSecretsSet(base, signal),
    enabled: base !== null,
  });
  return (member) => data?.[member];
}
