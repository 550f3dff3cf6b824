import type { Selectable } from "kysely";
import type { CanaryRecord, CanaryRun, CanaryStatus } from "#contract/canaries.ts";
import type { CanariesTable, CanaryRunsTable } from "../../storage/canary-tables.ts";
import { thresholdOf } from "./canary-verdict.ts";

export type CanaryRow = Omit<Selectable<CanariesTable>, "baseline" | "claim">;
export type CanaryRunRow = Selectable<CanaryRunsTable>;

/** Everything but the vectors, which only a run needs. */
export const canaryColumns = [
  "id",
  "provider",
  "model",
  "workspace_id",
  "every_hours",
  "created_at",
  "created_by",
  "baseline_space",
  "baseline_at",
  "noise",
  "measure",
  "suspected",
  "drift_since",
  "drift_reason",
  "drift_distance",
  "drift_space",
  "failures",
  "next_run_at",
  "claimed_until",
] as const satisfies readonly (keyof CanaryRow)[];

export function canaryRecord(
  row: CanaryRow,
  { providerName, last, now }: { providerName: string; last: CanaryRunRow | undefined; now: Date },
): CanaryRecord {
  const { drift_since: since, drift_reason: reason, drift_space: space } = row;
  return {
    id: row.id,
    provider: row.provider,
    provider_name: providerName,
    model: row.model,
    workspace_id: row.workspace_id,
    every_hours: row.every_hours,
    status: statusOf(row),
    drift:
      since === null || reason === null || space === null
        ? null
        : { since: since.toISOString(), reason, distance: row.drift_distance, space },
    baseline: baselineRecord(row),
    measures_next: row.measure,
    last_run: last === undefined ? null : runRecord(last),
    failures: row.failures,
    running: row.next_run_at <= now || (row.claimed_until !== null && row.claimed_until > now),
    next_run_at: row.next_run_at.toISOString(),
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
  };
}

export function baselineRecord({
  baseline_at: at,
  baseline_space: space,
  noise,
}: Pick<CanaryRow, "baseline_at" | "baseline_space" | "noise">): CanaryRecord["baseline"] {
  if (at === null || space === null || noise === null) return null;
  return { at: at.toISOString(), space, noise, threshold: thresholdOf(noise) };
}

function statusOf({ drift_since: since, suspected, baseline_at: at }: CanaryRow): CanaryStatus {
  if (since !== null) return "drift";
  if (at === null) return "new";
  return suspected ? "suspected" : "steady";
}

export function runRecord({ canary_id: _, at, ...row }: CanaryRunRow): CanaryRun {
  return { ...row, at: at.toISOString() };
}

/** What an audit row shows of a canary. */
export function auditedCanary({ provider, model, workspace_id, every_hours }: CanaryRow) {
  return { provider, model, workspace_id, every_hours };
}
