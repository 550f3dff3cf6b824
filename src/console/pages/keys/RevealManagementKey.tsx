import { type ManagementKeyRecord, deleteManagementKey } from "#contract/management-keys.ts";
import { gatewayBaseUrl } from "../../shell/snippets.ts";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { highlight } from "../../ui/code-tokens.ts";
import { Facts } from "../../ui/Facts.tsx";
import type { MadeManagementKey } from "./make-management-key.ts";
import type { RevealKind } from "./reveal-kind.ts";
import { utcMinute } from "./utc-minute.ts";

export const managementKey: RevealKind<ManagementKeyRecord> = {
  unsaved: "management-key",
  variable: "GATEHOUSE_MANAGEMENT_KEY",
  remove: deleteManagementKey,
  details: (made) => <Details made={made} />,
};

/** What it opens, until when, and a first call with it. */
function Details({ made: { record } }: { made: MadeManagementKey }) {
  return (
    <>
      <Facts
        columns={2}
        facts={[
          { term: "Opens", value: "This console and the management API" },
          { term: "Expires", value: record.expires_at === null ? "Never" : utcMinute(new Date(record.expires_at)) },
        ]}
      />
      <CodeBlock
        label="A first call with curl"
        copy
        tokens={highlight(
          `curl ${gatewayBaseUrl()}/keys \\\n  -H "Authorization: Bearer $GATEHOUSE_MANAGEMENT_KEY"`,
          "shell",
        )}
      />
    </>
  );
}
