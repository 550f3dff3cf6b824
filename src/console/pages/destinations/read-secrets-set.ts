import { listAudit, type AuditRecord } from "#contract/audit.ts";
import { configMembers } from "#contract/destination-kinds.ts";
import { createDestination, type DestinationRecord } from "#contract/destinations.ts";
import { call } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { formatDay } from "../../format.ts";

/** When each secret was set and by whom, in words, as the last hundred changes of the audit log have it. */
export async function readSecretsSet(
  { id, type }: Pick<DestinationRecord, "id" | "type">,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { data } = await call(listAudit, { query: { target_id: id, limit: "100" } }, { signal });
  const secrets = Object.entries(configMembers(type)).filter(([, { secret }]) => secret);
  return Object.fromEntries(
    secrets.flatMap(([name]) => {
      // the newest comes first, so the first that sets it is the one that counts
      const change = data.find((record) => sets(record, name));
      return change ? [[name, `Set ${formatDay(new Date(change.at), "UTC", now())} by ${change.actor}.`]] : [];
    }),
  );
}

function sets({ action, after }: AuditRecord, member: string): boolean {
  if (action === createDestination.operationId) return true;
  const config = after?.["config"] as Record<string, unknown> | null | undefined;
  return config?.[member] === "changed";
}
