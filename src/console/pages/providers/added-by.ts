import { useQuery } from "@tanstack/react-query";
import { listAudit, type AuditRecord } from "#contract/audit.ts";
import { createProvider } from "#contract/providers.ts";
import { query } from "../../api/query.ts";

/** Who the audit log names for what the program did by itself: at the first start it adds providers from variables. */
const program = "gatehouse";

/** By slug, who added each provider: the last entry counts, for a slug may have been deleted and added again. */
export function addedBy(entries: readonly Pick<AuditRecord, "actor" | "target_id">[]): ReadonlyMap<string, string> {
  const actors = new Map<string, string>();
  for (const { target_id: slug, actor } of entries) if (!actors.has(slug)) actors.set(slug, actor);
  return actors;
}

/** Who added a provider, from the audit log; undefined where it is not known. `environment`: a variable did. */
export function useAddedBy(): (slug: string) => { environment: boolean; actor: string } | undefined {
  const { data } = useQuery(query(listAudit, { query: { action: createProvider.name, limit: "100" } }));
  const actors = addedBy(data?.data ?? []);
  return (slug) => {
    const actor = actors.get(slug);
    return actor === undefined ? undefined : { environment: actor === program, actor };
  };
}
