import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { getKey, listKeys } from "#contract/keys.ts";
import { call } from "../../api/call.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { FilterInput } from "../../form/FilterInput.tsx";
import { FilterSelect } from "../../form/FilterSelect.tsx";
import { TimeRangeFilter } from "../../form/TimeRangeFilter.tsx";
import { allWorkspaces, paths } from "../../paths.ts";
import { callIdOf, filtersOfRefused, isRequestId, useCallsOf } from "../../shell/request-lookup.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Combobox } from "../../ui/Combobox.tsx";
import { cx } from "../../ui/cx.ts";
import { Kbd } from "../../ui/Kbd.tsx";
import type { LoadOptions } from "../../ui/listbox.ts";
import { TextInput } from "../../ui/TextInput.tsx";
import { statuses } from "./filter-words.ts";
import type { CallsSearch } from "./search.ts";

interface CallFiltersProps {
  search: CallsSearch;
  /** hears what is to be different; the rest is as the address says by then, which may be ahead of `search` */
  onChange: (some: CallsSearch) => void;
}

/** One call by its id, or the calls of a key, model, provider, status, session, preset or stretch of time. */
export function CallFilters({ search, onChange }: CallFiltersProps) {
  const [open, setOpen] = useState(false);
  const others = useId();
  const providers = useQuery(everyProvider).data?.data ?? [];
  const change = (some: CallsSearch) => {
    if (JSON.stringify({ ...search, ...some }) !== JSON.stringify(search)) onChange(some);
  };
  return (
    <div
      role="search"
      className="flex flex-wrap items-start gap-3 px-8 py-3 max-md:px-4 md:grid md:grid-cols-4 min-[1400px]:grid-cols-[1.4fr_repeat(7,1fr)]"
    >
      <FindCall />
      <Button className="md:hidden" aria-expanded={open} aria-controls={others} onClick={() => setOpen(!open)}>
        <span className="inline-flex items-center gap-1.5">
          Filters <ChevronDown size={12} aria-hidden="true" className={cx(open && "rotate-180")} />
        </span>
      </Button>
      {/* on a phone seven fields would stand between the page's head and its chart */}
      <div
        id={others}
        className={cx(
          "contents *:w-full",
          open ? "max-md:grid max-md:w-full max-md:grid-cols-2 max-md:gap-3" : "max-md:hidden",
        )}
      >
        <KeyFilter hash={search.key} onChange={(key) => change({ key })} />
        <FilterInput
          aria-label="Model"
          placeholder="Any model"
          value={search.model}
          onTake={(model) => change({ model })}
        />
        <FilterSelect
          label="Provider"
          any="Any provider"
          choices={providers.map(({ slug, name }) => [slug, name])}
          value={search.provider}
          onChange={(provider) => change({ provider })}
        />
        <FilterSelect
          label="Status"
          any="Any status"
          choices={[["succeeded", "Answered"], ["failed", "Failed"], ...statuses]}
          value={search.status}
          onChange={(status) => change({ status })}
        />
        <FilterInput
          aria-label="Session"
          placeholder="Any session"
          value={search.session}
          onTake={(session) => change({ session })}
        />
        <FilterInput
          aria-label="Preset"
          placeholder="Any preset"
          value={search.preset}
          onTake={(preset) => change({ preset })}
        />
        <TimeRangeFilter range={search} onChange={change} />
      </div>
    </div>
  );
}

/** The id of a call, or of the request that made it, leads to the call itself; that of a refused one to its line. */
function FindCall() {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const field = useRef<HTMLInputElement>(null);
  const [request, setRequest] = useState("");
  const { calls, refused, isFetching, error, retry } = useCallsOf(request);
  const [made] = calls;
  const [turned] = refused;
  useEffect(() => {
    if (request === "" || isFetching || (made === undefined && turned === undefined)) return;
    setRequest("");
    if (made !== undefined) void navigate({ to: paths.call(path, made.id) });
    else if (turned !== undefined) void navigate({ to: paths.calls(path), search: filtersOfRefused(turned) });
  }, [request, isFetching, made, turned, navigate, path]);
  useShortcut("/", "Find a call by its id", () => field.current?.focus());
  return (
    <form
      className="grid max-md:grow"
      onSubmit={(event) => {
        event.preventDefault();
        const id = field.current?.value.trim() ?? "";
        if (id === "") return;
        if (!isRequestId(id)) return void navigate({ to: paths.call(path, callIdOf(id)) });
        if (id === request) retry();
        else setRequest(id);
      }}
    >
      <TextInput
        ref={field}
        mono
        suffix={<Kbd>/</Kbd>}
        aria-label="Find a call by its id"
        placeholder="gen-… or req-…"
        spellCheck={false}
        onChange={() => setRequest("")}
      />
      {request !== "" && !isFetching && made === undefined && turned === undefined && (
        <span role="alert" className="max-w-52 pt-1 text-12 text-bad-fg max-md:max-w-none">
          {error === null
            ? "No call has this request id. Of the calls refused in one minute, only the last one's id is kept."
            : "The request could not be looked up. Press Enter to try again."}
        </span>
      )}
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
  const load = useMemo(() => keysNamed(id), [id]);
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
