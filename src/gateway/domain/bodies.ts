import type { Store } from "../storage/store.ts";
import type { KeptBody } from "./forwarded-events.ts";
import { type BodyToKeep, type CallWithBody, packBodies } from "./kept-bodies.ts";
import type { SecretBox } from "./secret-box.ts";

/** Knows whose bodies somebody needs: a destination that takes them, or the workspace's own log. */
export interface BodyKeeper {
  /**
   * A call's bodies if they are needed. `bodies` is only called then.
   * @param logged the workspace keeps them for itself
   */
  keep(workspaceId: string, logged: boolean, bodies: () => KeptBody): BodyToKeep | null;
  /** Seals what calls that are committed together keep. */
  pack(calls: readonly CallWithBody[]): ReturnType<typeof packBodies>;
  /** whether there is any enabled destination */
  anyDestination(): boolean;
  /** Looks at the settings anew. */
  refresh(): Promise<void>;
  /** Follows the settings, and tells of changes to destinations. */
  watch(changed: () => void): Promise<void>;
  close(): void;
}

/** Larger bodies are not kept; the call is forwarded without them. */
export const largestBody = 262_144;
const refreshEveryMs = 5_000;

/** The notice that destinations have changed. */
export const destinationsChannel = "destinations";

const needsText = `
select d.workspace_id as id, bool_or(d.enabled) as enabled, bool_or(not d.privacy_mode or d.filter_rules::text ~ '"field": "(input|output)"') as forwards
from destinations d join workspaces w on w.id = d.workspace_id
where d.deleted_at is null and w.deleted_at is null and w.is_observability_broadcast_enabled
group by d.workspace_id`;

export function createBodyKeeper(store: Store, secrets: SecretBox): BodyKeeper {
  let forwarding: ReadonlySet<string> = new Set();
  let any = false;
  let timer: NodeJS.Timeout | null = null;
  let latest = 0;

  async function refresh(): Promise<void> {
    const asked = (latest += 1);
    const { rows } = await store.pool.query<{ id: string; enabled: boolean; forwards: boolean }>({
      name: "body-needs",
      text: needsText,
    });
    // Of two that are under way at once, the one that was asked last knows better.
    if (asked !== latest) return;
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
        // Money is settled in the same breath: what cannot be written is not kept.
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
      // A notice may be lost, and workspaces' own settings send none.
      timer = setInterval(again, refreshEveryMs);
      timer.unref();
    },
    close() {
      if (timer !== null) clearInterval(timer);
    },
  };
}
