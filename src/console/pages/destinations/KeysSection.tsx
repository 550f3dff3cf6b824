import { lazy, Suspense, useMemo, useState } from "react";
import { formatPercent } from "../../format.ts";
import { useKeyOptions } from "../../shell/key-options.ts";
import { FieldError } from "../../ui/Field.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { MultiCombobox } from "../../ui/MultiCombobox.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { at, type Editing } from "./editor.ts";
import { isUnknown, keyWords, useKeyNames } from "./use-key-names.ts";

const PasteHashes = lazy(async () => ({ default: (await import("./PasteHashes.tsx")).PasteHashes }));

const shownChips = 8;
/** so many more at each press, as a list may hold ten thousand */
const moreChips = 100;

interface KeysSectionProps {
  editing: Editing;
  workspaceId: string | undefined;
  /** the part of the last day's calls that these keys made, 0 to 1 */
  share: number | null;
}

/** The keys whose calls are forwarded: every key, including future ones, or a list of at least one. */
export function KeysSection({ editing, workspaceId, share }: KeysSectionProps) {
  const { draft, base, change, problem, touch } = editing;
  const hashes = draft.api_key_hashes;
  // the list comes back if "all keys" was only tried out
  const [listed, setListed] = useState<readonly string[]>(hashes ?? base?.api_key_hashes ?? []);
  const [pasting, setPasting] = useState(false);
  const [chips, setChips] = useState(shownChips);
  const set = (next: readonly string[]) => {
    setListed(next);
    change({ api_key_hashes: next });
  };
  const looked = useMemo(() => (hashes ?? []).slice(0, chips), [hashes, chips]);
  const names = useKeyNames(looked);
  // only keys of the destination's workspace are offered: calls of others never come past it
  const load = useKeyOptions(workspaceId);
  const error = problem("api_key_hashes");
  return (
    <div {...at("api_key_hashes")} className="grid gap-3">
      <RadioGroup
        label="Whose traffic"
        value={hashes === null ? "all" : "some"}
        onChange={(choice) => change({ api_key_hashes: choice === "all" ? null : listed })}
      >
        <Radio value="all" label="All keys (including future ones)" />
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
              return { label: keyWords(hash, named, workspaceId), unknown: isUnknown(named) };
            }}
            collapseAfter={chips}
            onExpand={() => setChips((before) => before + moreChips)}
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
          {hashes.length === 1 ? "This key" : "These keys"} made {formatPercent(share)} of the calls in the last 24 h.
        </p>
      )}
      {pasting && (
        <Suspense>
          <PasteHashes
            have={hashes ?? []}
            workspaceId={workspaceId}
            onAdd={(added) => set([...(hashes ?? []), ...added])}
            onClose={() => setPasting(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
