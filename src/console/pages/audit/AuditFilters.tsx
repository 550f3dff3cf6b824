import { ChevronDown } from "lucide-react";
import { useId, useMemo, useRef, useState } from "react";
import { auditedOperations } from "#contract/audit.ts";
import { FilterInput } from "../../form/FilterInput.tsx";
import { TimeRangeFilter } from "../../form/TimeRangeFilter.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/Button.tsx";
import { Combobox } from "../../ui/Combobox.tsx";
import { cx } from "../../ui/cx.ts";
import type { AuditSearch } from "./filters.ts";
import type { ComboOption } from "../../ui/listbox.ts";
import { actionGroup, actionLabel } from "./labels.ts";

interface AuditFiltersProps {
  search: AuditSearch;
  /** hears what is to be different; the rest is as the address says by then, which may be ahead of `search` */
  onChange: (some: AuditSearch) => void;
  onClear: () => void;
}

/** Who, what, to what, by which request, and when. */
export function AuditFilters({ search, onChange, onClear }: AuditFiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const [open, setOpen] = useState(false);
  const others = useId();
  useShortcut("/", "Filter by who made a change", () => form.current?.querySelector("input")?.focus());
  const actions = useMemo(() => actionOptions(search.action), [search.action]);
  const any = Object.values(search).some((value) => value !== undefined);
  const change = (some: AuditSearch) => {
    if (JSON.stringify({ ...search, ...some }) !== JSON.stringify(search)) onChange(some);
  };
  return (
    <form
      ref={form}
      role="search"
      className="flex flex-wrap items-center gap-3 px-8 py-3 max-md:px-4"
      // each field is taken by itself
      onSubmit={(event) => event.preventDefault()}
    >
      <FilterInput
        aria-label="Who"
        placeholder="Who, the exact name"
        value={search.actor}
        onTake={(actor) => change({ actor })}
        className="w-56 max-md:w-auto max-md:grow"
      />
      <Button className="md:hidden" aria-expanded={open} aria-controls={others} onClick={() => setOpen(!open)}>
        <span className="inline-flex items-center gap-1.5">
          Filters <ChevronDown size={12} aria-hidden="true" className={cx(open && "rotate-180")} />
        </span>
      </Button>
      {/* on a phone they would fill half of the first screen */}
      <div
        id={others}
        className={cx("contents", open ? "max-md:grid max-md:w-full max-md:grid-cols-2 max-md:gap-3" : "max-md:hidden")}
      >
        <Combobox
          label="Action"
          aria-label="Action"
          placeholder="Any action"
          options={actions}
          value={search.action ?? null}
          clearable
          onChange={(action) => change({ action: action ?? undefined })}
          className="w-56 max-md:w-full"
        />
        <FilterInput
          aria-label="Target id"
          placeholder="Target id"
          value={search.target_id}
          onTake={(target_id) => change({ target_id })}
          className="w-64 max-md:w-full"
        />
        <FilterInput
          aria-label="Request id"
          placeholder="Request id"
          value={search.request_id}
          onTake={(request_id) => change({ request_id })}
          className="w-56 max-md:w-full"
        />
        <TimeRangeFilter range={search} onChange={change} />
      </div>
      {search.target_type !== undefined && (
        <Button variant="quiet" onClick={() => change({ target_type: undefined })}>
          Target type: {search.target_type.replaceAll("_", " ")}, show all
        </Button>
      )}
      {any && (
        <Button variant="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </form>
  );
}

/** The actions by what they are about; an action of an earlier version too, where the address has one. */
function actionOptions(chosen: string | undefined): ComboOption[] {
  const all =
    chosen === undefined || auditedOperations.includes(chosen) ? auditedOperations : [...auditedOperations, chosen];
  return all.map((action) => ({
    value: action,
    label: actionLabel(action),
    group: actionGroup(action),
    keywords: actionGroup(action),
  }));
}
