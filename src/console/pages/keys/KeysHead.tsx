import { Link } from "@tanstack/react-router";
import { now } from "../../api/clock.ts";
import { useReachable } from "../../api/reachable.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { ExportKeys } from "./ExportKeys.tsx";
import { passes } from "./filters.ts";
import { FoundKey } from "./FoundKey.tsx";
import { countText } from "./KeyTabs.tsx";
import type { KeyList } from "./use-key-list.ts";
import { keysQuery } from "./use-keys.ts";

/** The page's head: what can be done with all keys, and the way to another. */
export function KeysHead({ list: { workspace, search, count } }: { list: KeyList }) {
  const { reachable, reason } = useReachable();
  return (
    <PageHeader
      title="API keys"
      actions={
        <>
          <FoundKey />
          <ExportKeys
            query={keysQuery(search, workspace.id)}
            passes={(key) => passes(key, search, now())}
            count={count && countText(count)}
            workspace={workspace.path}
          />
          {reachable ? (
            <Link
              id="create-key"
              to={paths.newKey(workspace.path)}
              search={search}
              className={buttonClass({ variant: "primary" })}
            >
              Create key
              <kbd aria-hidden="true" className="font-mono text-[11px]/4 font-normal text-on-ink-2 max-md:hidden">
                C
              </kbd>
            </Link>
          ) : (
            <Button id="create-key" variant="primary" disabledReason={reason}>
              Create key
            </Button>
          )}
        </>
      }
    />
  );
}
