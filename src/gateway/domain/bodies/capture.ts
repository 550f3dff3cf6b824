import { largestBody } from "#contract/generations.ts";
import type { Store } from "../../storage/store.ts";
import type { KeptBody } from "./body.ts";
import { type BodyToKeep, type CallWithBody, packBodies } from "./store.ts";
import type { SecretBox } from "../secrets/box.ts";

/** Knows which workspaces' bodies are needed: by a destination that takes them, or by the workspace's own log. */
export interface BodyCapture {
  /**
   * A call's bodies if they are needed. `bodies` is only called then.
   * @param logged the workspace keeps them for itself
   */
  keep(workspaceId: string, logged: boolean, bodies: () => KeptBody): BodyToKeep | null;
  /** Seals the kept bodies of calls that are committed together. */
  pack(calls: readonly CallWithBody[]): ReturnType<typeof packBodies>;
  /** whether any destination is enabled */
  anyDestination(): boolean;
  /** Reads the settings again. */
  refresh(): Promise<void>;
  /** Follows the settings, and announces changes to destinations. */
  watch(changed: () => void): Promise<void>;
  close(): void;
}

const refreshEveryMs = 5_000;

/** The notification that destinations have changed. */
export const destinationsChannel = "destinations";

const needsText = `
select d.workspace_id as id, bool_or(d.enabled) as enabled, bool_or(not d.privacy_mode or d.filter_rules::text ~ '"field": "(input|output)"') as forwards
from destinations d join workspaces w on w.id = d.workspace_id
where d.deleted_at is null and w.deleted_at is null and w.is_observability_broadcast_enabled
group by d.workspace_id`;

export function createBodyCapture(store: Store, secrets: SecretBox): BodyCapture {
  let forwarding: ReadonlySet<string> = new Set();
  let any = false;
  let timer: NodeJS.Timeout | null = null;
  let started = 0;
  let applied = 0;

  async function refresh(): Promise<void> {
    const asked = (started += 1);
    const { rows } = await store.pool.query<{ id: string; enabled: boolean; forwards: boolean }>({
      name: "body-needs",
      text: needsText,
    });
    // Of two overlapping reads, the one that started last wins.
    if (asked < applied) return;
    applied = asked;
    forwarding = new Set(rows.filter((row) => row.forwards).map((row) => row.id));
    any = rows.some((row) => row.enabled);
  }

  return {
    keep(workspaceId, logged, bodies) {
      const forwarded = forwarding.has(workspaceId);
      if (!logged && !forwarded) return null;
      let json: string;
      try {
        json = JSON.stringify(bodies());
      } catch {
        // A body that cannot be serialized must not fail the settlement.
        return null;
      }
      return json.length > largestBody ? null : { json, forwarded, logged };
    },
    pack: (calls) => packBodies(secrets, calls),
    anyDestination: () => any,
    refresh,
    async watch(changed) {
      await refresh();
      const again = () => void refresh().then(changed, () => {});
      store.notices.listen(destinationsChannel, again);
      // A notification may be lost, and changes to workspace settings send none.
      timer = setInterval(again, refreshEveryMs);
      timer.unref();
    },
    close() {
      if (timer !== null) clearInterval(timer);
    },
  };
}
