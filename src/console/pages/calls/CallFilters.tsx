import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { getKey, listKeys } from "#contract/keys.ts";
import { call } from "../../api/call.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Combobox } from "../../ui/Combobox.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import type { LoadOptions } from "../../ui/listbox.ts";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { hasFilters } from "./search.ts";
import type { CallsSearch } from "./search.ts";

interface CallFiltersProps {
  search: CallsSearch;
  onChange: (next: CallsSearch) => void;
}

/** Statuses that a caller can be answered with, beyond "answered" and "failed". */
const statuses: readonly [string, string][] = [
  ["400", "400 invalid request"],
  ["402", "402 payment required"],
  ["404", "404 not found"],
  ["429", "429 rate limited"],
  ["500", "500 server"],
  ["502", "502 provider error"],
  ["503", "503 unavailable"],
  ["524", "524 timeout"],
  ["529", "529 overloaded"],
];

/** One call by its id, or the calls of a key, model, provider, status or session. */
export function CallFilters({ search, onChange }: CallFiltersProps) {
  const providers = useQuery(everyProvider).data?.data ?? [];
  const change = (some: CallsSearch) => {
    const next = { ...search, ...some };
    if (JSON.stringify(next) !== JSON.stringify(search)) onChange(next);
  };
  const knownStatus = search.status === undefined || ["succeeded", "failed"].includes(search.status);
  return (
    <div
      role="search"
      className="flex flex-wrap items-center gap-3 px-8 py-3 max-md:grid max-md:grid-cols-2 max-md:px-4"
    >
      <FindCall />
      <KeyFilter hash={search.key} onChange={(key) => change({ key })} />
      <Typed label="Model" value={search.model} onChange={(model) => change({ model })} className="w-44" />
      <NativeSelect
        aria-label="Provider"
        value={search.provider ?? ""}
        onChange={({ target: { value } }) => change({ provider: value === "" ? undefined : value })}
        className="w-40 max-md:w-full"
      >
        <option value="">Any provider</option>
        {search.provider !== undefined && !providers.some(({ slug }) => slug === search.provider) && (
          <option value={search.provider}>{search.provider}</option>
        )}
        {providers.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label="Status"
        value={search.status ?? ""}
        onChange={({ target: { value } }) => change({ status: value === "" ? undefined : value })}
        className="w-44 max-md:w-full"
      >
        <option value="">Any status</option>
        <option value="succeeded">Answered</option>
        <option value="failed">Failed</option>
        {!knownStatus && !statuses.some(([value]) => value === search.status) && (
          <option value={search.status}>{search.status}</option>
        )}
        {statuses.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <Typed label="Session" value={search.session} onChange={(session) => change({ session })} className="w-36" />
      {hasFilters(search) && (
        <Button variant="quiet" shortcut="esc" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** The id of a call leads to the call itself. */
function FindCall() {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", "Find a call by its id", () => field.current?.focus());
  return (
    <form
      className="max-md:col-span-2"
      onSubmit={(event) => {
        event.preventDefault();
        const id = field.current?.value.trim() ?? "";
        if (id !== "") void navigate({ to: paths.call(path, id) });
      }}
    >
      <TextInput
        ref={field}
        mono
        suffix={<Kbd>/</Kbd>}
        aria-label="Find a call by its id"
        placeholder="gen-…, then Enter"
        spellCheck={false}
        className="w-64 max-md:w-full"
      />
    </form>
  );
}

interface KeyFilterProps {
  hash: string | undefined;
  onChange: (hash: string | undefined) => void;
}

function KeyFilter({ hash, onChange }: KeyFilterProps) {
  const { id = allWorkspaces } = useWorkspace();
  const chosen = useQuery({ ...query(getKey, { params: { hash: hash ?? "" } }), enabled: hash !== undefined });
  const loads = useRef(new Map<string, LoadOptions>());
  const load = loads.current.get(id) ?? keysNamed(id);
  loads.current.set(id, load);
  const selected =
    hash === undefined ? undefined : { value: hash, label: chosen.data?.data.name ?? `${hash.slice(0, 12)}…` };
  return (
    <Combobox
      label="Key"
      aria-label="Key"
      placeholder="Any key"
      load={load}
      value={hash ?? null}
      selected={selected}
      clearable
      onChange={(value) => onChange(value ?? undefined)}
      className="w-48 max-md:w-full"
    />
  );
}

const mostKeys = "20";

function keysNamed(workspaceId: string): LoadOptions {
  return async (q, signal) => {
    const { data } = await call(
      listKeys,
      {
        query: {
          workspace_id: workspaceId,
          include_disabled: "true",
          limit: mostKeys,
          ...(q.trim() === "" ? { sort: "last_used_at" } : { q: q.trim() }),
        },
      },
      { signal },
    );
    return data.map((key) => ({ value: key.hash, label: key.name, detail: key.label.slice(-7) }));
  };
}

interface TypedProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  className: string;
}

/** A value that has to match exactly: taken with Enter or on leaving the field. */
function Typed({ label, value, onChange, className }: TypedProps) {
  const field = useRef<HTMLInputElement>(null);
  // a field that is not being typed in follows the address
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = value ?? "";
  }, [value]);
  const take = () => {
    const text = field.current?.value.trim() ?? "";
    onChange(text === "" ? undefined : text);
  };
  return (
    <TextInput
      ref={field}
      aria-label={label}
      placeholder={`Any ${label.toLowerCase()}`}
      defaultValue={value}
      spellCheck={false}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === "Enter") take();
      }}
      className={`${className} max-md:w-full`}
    />
  );
}
