import { lazy, Suspense, type ComponentType } from "react";
import { type KeyRecord, deleteKey } from "#contract/keys.ts";
import { useSession } from "../../api/session.ts";
import { Facts } from "../../ui/Facts.tsx";
import { forgetRecentKey, noteRecentKey } from "./recent-key.ts";
import type { Made } from "./make-key.ts";
import type { RevealKind } from "./reveal-kind.ts";
import { limitWords } from "./summary.ts";
import { utcMinute } from "./utc-minute.ts";
import { useWorkspaceName } from "./workspace-name.ts";

// Fetched while the form is filled in. Without it the dialog still shows the key: what is shown once must not hang on it.
const firstUse: Promise<{ default: ComponentType<{ made: Made }> }> = import("./FirstUse.tsx").then(
  (module) => ({ default: module.FirstUse }),
  () => ({ default: () => null }),
);
const FirstUse = lazy(() => firstUse);

export const apiKey: RevealKind<KeyRecord> = {
  unsaved: "api-key",
  variable: "GATEHOUSE_API_KEY",
  remove: deleteKey,
  details: (made) => <Details made={made} />,
  onShown: (hash) => (hash === null ? forgetRecentKey() : noteRecentKey(hash)),
};

/** The key's settings, a first call, and the light that waits for it. */
function Details({ made: { record, vault } }: { made: Made }) {
  const session = useSession();
  const workspace = useWorkspaceName(record.workspace_id);
  const user = "record" in session ? session.record.user : undefined;
  return (
    <>
      <Facts
        columns={2}
        facts={[
          { term: "Workspace", value: workspace },
          { term: "Limit", value: limitWords(record) },
          { term: "Created", value: user === undefined ? "Just now" : `Just now, by ${user}` },
          { term: "Expires", value: record.expires_at === null ? "Never" : utcMinute(new Date(record.expires_at)) },
        ]}
      />
      <Suspense>
        <FirstUse made={{ record, vault }} />
      </Suspense>
    </>
  );
}
