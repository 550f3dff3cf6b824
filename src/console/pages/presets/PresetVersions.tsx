import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type PresetVersion, type PresetWithVersion, updatePreset } from "#contract/presets.ts";
import { useAction } from "../../api/action.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { everyVersion } from "../../api/presets.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { RowMenu } from "../../table/RowMenu.tsx";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import type { MenuItem } from "../../ui/Menu.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { toast } from "../../ui/toast.ts";
import type { PresetSearch } from "./search.ts";
import type { PresetInput } from "./use-preset.ts";
import { versionColumns, type VersionContext } from "./version-columns.tsx";
import { VersionDiff } from "./VersionDiff.tsx";

const section = "border-t border-line pt-5 pb-6";
const heading = "px-8 pb-2 text-15 max-md:px-4";
/** Further ones are shown when they are asked for: what differs between two lies below them. */
const firstShown = 20;
const compareId = "compare-versions";

/** The versions of a preset, and what differs between two of them. */
export function PresetVersions({ preset, input }: { preset: PresetWithVersion; input: PresetInput }) {
  const list = useQuery(everyVersion(input.query.workspace_id, preset.slug));
  const search: PresetSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (some: PresetSearch) =>
    // what is compared is far down the page, which stays where it is
    void navigate({
      to: ".",
      search: (before: object) => ({ ...before, ...some }),
      replace: true,
      resetScroll: false,
    });
  const use = useDesignate(preset, input);
  const { reason } = useReachable();
  const inUse = preset.designated_version_number;
  const [all, setAll] = useState(false);
  const itemsFor = ({ version }: PresetVersion): MenuItem[] => [
    {
      label: "Use this version",
      disabledReason: version === inUse ? "Calls use it already." : reason,
      onSelect: () => use(version),
    },
    {
      label: "Compare with the version in use",
      disabledReason: version === inUse ? "It is the version in use." : undefined,
      onSelect: () => {
        change({ from: inUse, to: version });
        document.getElementById(compareId)?.focus();
      },
    },
  ];
  return (
    <QueryBoundary
      query={list}
      what="the versions"
      skeleton={
        <section className={section}>
          <h2 className={heading}>Versions</h2>
          <TableSkeleton columns={versionColumns} rows={2} actions />
        </section>
      }
    >
      {(versions) => (
        <>
          <section aria-label="Versions" className={section}>
            <h2 className={heading}>Versions</h2>
            <Table
              label="Versions"
              columns={versionColumns}
              context={{ inUse, before: (version) => beforeOf(versions, version), itemsFor }}
              rows={all ? versions : versions.filter(({ version }, at) => at < firstShown || version === inUse)}
              rowId={({ id }) => id}
              actions={menu}
            />
            {!all && versions.length > firstShown && (
              <p className="px-8 pt-3 text-12 max-md:px-4">
                <LinkButton onClick={() => setAll(true)}>Show all {versions.length} versions</LinkButton>
              </p>
            )}
          </section>
          {versions.length > 1 && <Comparison versions={versions} search={search} onChange={change} />}
        </>
      )}
    </QueryBoundary>
  );
}

function menu(version: PresetVersion, { itemsFor }: VersionContext) {
  return <RowMenu name={`version ${version.version}`} items={itemsFor(version)} />;
}

function beforeOf(versions: readonly PresetVersion[], { id }: PresetVersion): PresetVersion | undefined {
  return versions[versions.findIndex((one) => one.id === id) + 1];
}

function useDesignate(preset: PresetWithVersion, input: PresetInput): (version: number) => void {
  const update = useAction(updatePreset, {
    onSuccess: ({ data }) =>
      toast({ message: `Calls to ${data.name} use version ${data.designated_version_number} now.` }),
    onError: (error) =>
      toast({ message: `${preset.name} was not changed.`, detail: errorText(error), tone: "trouble" }),
  });
  return (version) => update.mutate({ ...input, body: { designated_version: version } });
}

interface ComparisonProps {
  versions: readonly PresetVersion[];
  search: PresetSearch;
  onChange: (some: PresetSearch) => void;
}

function Comparison({ versions, search, onChange }: ComparisonProps) {
  const numbered = (number: number | undefined) => versions.find(({ version }) => version === number);
  const after = numbered(search.to) ?? versions[0];
  const before = numbered(search.from) ?? (after && beforeOf(versions, after)) ?? versions[1];
  if (after === undefined || before === undefined) return null;
  const choice = (name: "from" | "to", label: string, { version }: PresetVersion) => (
    <label className="flex items-center gap-2 text-13 text-fg-2">
      {label}
      <NativeSelect
        size="sm"
        value={String(version)}
        onChange={(event) => onChange({ [name]: Number(event.target.value) })}
        className="w-28 max-md:w-34"
      >
        {versions.map((one) => (
          <option key={one.id} value={one.version}>
            Version {one.version}
          </option>
        ))}
      </NativeSelect>
    </label>
  );
  return (
    <section aria-labelledby={compareId} className="border-t border-line px-8 pt-5 pb-6 max-md:px-4">
      <h2 id={compareId} tabIndex={-1} className="scroll-mt-16 pb-2 text-15">
        Compare versions
      </h2>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-4">
        {choice("from", "From", before)}
        {choice("to", "to", after)}
      </div>
      <div className="max-w-240">
        <VersionDiff before={before} after={after} />
      </div>
    </section>
  );
}
