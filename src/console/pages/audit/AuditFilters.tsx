import { useEffect, useRef } from "react";
import { useShortcut } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/Button.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import type { AuditSearch } from "./filters.ts";
import { actionWords, knownActions } from "./words.ts";

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (next: AuditSearch) => void;
}

/** Who, what, and to what. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const actor = useRef<HTMLInputElement>(null);
  const target = useRef<HTMLInputElement>(null);
  useShortcut("/", "Filter by who", () => actor.current?.focus());
  // a field that is not being typed in follows the address
  useEffect(() => {
    if (actor.current && actor.current !== document.activeElement) actor.current.value = search.actor ?? "";
    if (target.current && target.current !== document.activeElement) target.current.value = search.target_id ?? "";
  }, [search.actor, search.target_id]);
  const actions =
    search.action === undefined || knownActions.includes(search.action)
      ? knownActions
      : [...knownActions, search.action];
  const any = Object.values(search).some((value) => value !== undefined);
  const change = (some: AuditSearch) => {
    const next = { ...search, ...some };
    if (JSON.stringify(next) !== JSON.stringify(search)) onChange(next);
  };
  return (
    <form
      role="search"
      className="flex flex-wrap items-center gap-3 px-8 py-3 max-md:px-4"
      onSubmit={(event) => {
        event.preventDefault();
        change({ actor: text(actor.current), target_id: text(target.current) });
      }}
    >
      <TextInput
        ref={actor}
        aria-label="Made by"
        placeholder="Made by"
        defaultValue={search.actor}
        onBlur={(event) => change({ actor: text(event.target) })}
        className="w-56 max-md:w-full"
      />
      <NativeSelect
        aria-label="What was done"
        value={search.action ?? ""}
        onChange={(event) => change({ action: text(event.target) })}
        className="w-48 max-md:w-full"
      >
        <option value="">Anything done</option>
        {actions.map((action) => (
          <option key={action} value={action}>
            {actionWords(action)}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        ref={target}
        aria-label="Id of what was changed"
        placeholder="Id of what was changed"
        defaultValue={search.target_id}
        onBlur={(event) => change({ target_id: text(event.target) })}
        mono
        className="w-64 max-md:w-full"
      />
      {any && (
        <Button variant="quiet" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
      <button type="submit" className="sr-only">
        Apply the filters
      </button>
    </form>
  );
}

function text(field: { value: string } | null): string | undefined {
  const value = field?.value.trim() ?? "";
  return value === "" ? undefined : value;
}
