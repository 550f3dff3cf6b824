import type { ProviderHealth } from "#contract/providers.ts";
import type { SeenHealth } from "../routing/health.ts";

export interface Counted {
  readonly calls: number;
  readonly failures: number;
}

type Recent = NonNullable<ProviderHealth["recent"]>;
export type ProviderState = Pick<ProviderHealth, "status" | "recent">;

/** The ledger's hours that count as recent, the current one included. */
export const recentHours = 3;

/** A tenth of at least five calls; of fewer, all of them. */
const failingFrom = { rate: 0.1, calls: 5 };

const troubles: ReadonlySet<string> = new Set(["failing", "overloaded", "credentials", "down"]);
export const isInTrouble = ({ status }: ProviderState): boolean => troubles.has(status);

/**
 * The state of a provider, for every answer that says one. The calls decide that this process saw in the last half hour,
 * where they are enough to judge by: the ledger lacks those that another provider made up for. Else the ledger's last
 * hours do, which survive a restart and cover every process. What is older says nothing of now.
 *
 * @param ledger over the last `recentHours`
 * @param changedAt when its settings were changed: a key that was refused before may have been replaced
 */
export function stateOf(seen: SeenHealth, ledger: Counted, changedAt: Date | null): ProviderState {
  const recent = recentOf(seen, ledger);
  return { status: statusOf(seen, recent, changedAt), recent };
}

function recentOf(seen: SeenHealth, { calls, failures }: Counted): Recent | null {
  const here = { calls: seen.calls_last_30m, error_rate: seen.error_rate_last_30m ?? 0, minutes: 30 };
  if (here.calls >= failingFrom.calls || isTooMany(here)) return here;
  if (calls > 0) return { calls, error_rate: failures / calls, minutes: recentHours * 60 };
  return here.calls > 0 ? here : null;
}

function isTooMany({ calls, error_rate: rate }: Recent): boolean {
  return calls > 0 && rate >= (calls >= failingFrom.calls ? failingFrom.rate : 1);
}

function statusOf(seen: SeenHealth, recent: Recent | null, changedAt: Date | null): ProviderHealth["status"] {
  const { status, last_failure: failure } = seen;
  const isReplaced = failure !== null && changedAt !== null && changedAt.getTime() > Date.parse(failure.at);
  if (status === "credentials" && !isReplaced) return status;
  if (status === "overloaded" || status === "down") return status;
  if (recent === null) return "idle";
  if (isTooMany(recent)) return "failing";
  return status === "slow" ? "slow" : "up";
}
