import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { listKeys } from "#contract/keys.ts";
import { call } from "../../api/call.ts";
import { formatPercent } from "../../format.ts";
import { FieldError } from "../../ui/Field.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import type { LoadOptions } from "../../ui/listbox.ts";
import { MultiCombobox } from "../../ui/MultiCombobox.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { at } from "./editor.ts";
import type { Editing } from "./editor.ts";
import { keyWords, useKeyNames } from "./use-key-names.ts";

const PasteHashes = lazy(async () => ({ default: (await import("./PasteHashes.tsx")).PasteHashes }));

const shownChips = 8;
const pageSize = "50";

interface KeysSectionProps {
  editing: Editing;
  workspaceId: string | undefined;
  /** the part of the last day's calls that these keys made, 0 to 1 */
  share: number | null;
}

/** Whose traffic: every key, future ones too, or a list of at least one. */
export function KeysSection({ editing, workspaceId, share }: KeysSectionProps) {
  const { draft, base, change, problem, touch } = editing;
  const hashes = draft.api_key_hashes;
  // what was listed comes back when somebody only looks at "all keys"
  const [listed, setListed] = useState<readonly string[]>(hashes ?? base?.api_key_hashes ?? []);
  const [pasting, setPasting] = useState(false);
  const [expanded, setExpanded] = useState(false);
  const set = (next: readonly string[]) => {
    setListed(next);
    change({ api_key_hashes: next });
  };
  const looked = useMemo(() => (expanded ? (hashes ?? []) : (hashes ?? []).slice(0, shownChips)), [hashes, expanded]);
  const names = useKeyNames(looked);
  const load = useKeySearch(workspaceId);
  const error = problem("api_key_hashes");
  return (
    <div {...at("api_key_hashes")} className="grid gap-3">
      <RadioGroup
        label="Whose traffic"
        value={hashes === null ? "all" : "some"}
        onChange={(choice) => change({ api_key_hashes: choice === "all" ? null : listed })}
      >
        <Radio value="all" label="All keys, future ones too" />
        <Radio value="some" label="Only these keys" />
      </RadioGroup>
      {hashes !== null && (
        <>
          <MultiCombobox
            label="Keys whose calls are sent"
            aria-invalid={error ? true : undefined}
            load={load}
            values={hashes}
            onChange={(next) => {
              touch("api_key_hashes");
              set(next);
            }}
            describe={(hash) => {
              const named = names.get(hash);
              return { label: keyWords(hash, named, workspaceId), unknown: named?.state === "unknown" };
            }}
            collapseAfter={expanded ? undefined : shownChips}
            onExpand={() => setExpanded(true)}
            placeholder="Add a key by name, label or hash"
            emptyText="No key of this workspace matches"
            aside={
              <LinkButton className="px-1 text-12 whitespace-nowrap" onClick={() => setPasting(true)}>
                Paste hashes
              </LinkButton>
            }
          />
          {error && (
            <div role="alert">
              <FieldError>{error}</FieldError>
            </div>
          )}
        </>
      )}
      {hashes !== null && hashes.length > 0 && share !== null && (
        <p className="text-12 text-fg-3">
          {hashes.length === 1 ? "This key" : "These keys"} made {formatPercent(share)} of the calls of the last 24 h.
        </p>
      )}
      {pasting && (
        <Suspense>
          <PasteHashes
            have={hashes ?? []}
            onAdd={(added) => set([...(hashes ?? []), ...added])}
            onClose={() => setPasting(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Finds keys on the gateway, so that ten thousand of them cost no more than the fifty that are shown. */
function useKeySearch(workspaceId: string | undefined): LoadOptions {
  return useCallback(
    async (text, signal) => {
      const { data } = await call(
        listKeys,
        { query: { q: text, limit: pageSize, include_disabled: "true", workspace_id: workspaceId ?? "all" } },
        { signal },
      );
      return data.map(({ hash, name, label, status }) => ({
        value: hash,
        label: name,
        detail: status === "active" ? label : `${label}, ${status.replace("_", " ")}`,
      }));
    },
    [workspaceId],
  );
}
