import { Link } from "@tanstack/react-router";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { ExportButton, type KeyExport } from "./ExportKeys.tsx";
import type { KeyList } from "./use-key-list.ts";

interface KeysHeadProps {
  list: KeyList;
  exported: KeyExport;
  onFound: () => void;
}

/** The page's head: what can be done with all keys, and the way to another. */
export function KeysHead({ list: { workspace }, exported, onFound }: KeysHeadProps) {
  const { reachable, reason } = useReachable();
  return (
    <PageHeader
      title="API keys"
      actions={
        <>
          <Button variant="quiet" className="max-md:hidden" onClick={onFound}>
            Found a key?
          </Button>
          <ExportButton of={exported} />
          {reachable ? (
            <Link
              id="create-key"
              to={paths.newKey(workspace.path)}
              // as the address says on the press, which may be ahead of what is rendered
              search
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
