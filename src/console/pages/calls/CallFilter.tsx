import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useMemo, useRef, type KeyboardEvent } from "react";
import { suggestCallFilters } from "#contract/call-list.ts";
import { getKey } from "#contract/keys.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { call } from "../../api/call.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { TimeRangeFilter } from "../../form/TimeRangeFilter.tsx";
import { allWorkspaces, paths } from "../../paths.ts";
import { filtersOfRefused, isRequestId } from "../../shell/request-lookup.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Kbd } from "../../ui/Kbd.tsx";
import { Listbox } from "../../ui/Listbox.tsx";
import type { LoadOptions } from "../../ui/listbox.ts";
import { frameClass } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast.ts";
import { useCombobox } from "../../ui/use-combobox.ts";
import { filterOptions, readChoice, readTyped, suggestedField, typedOf } from "./filter-options.ts";
import { filterWords, type FilterWord } from "./filter-words.ts";
import { findRequest } from "./find-request.ts";
import type { CallsSearch } from "./search.ts";

interface CallFilterProps {
  search: CallsSearch;
  /** hears what is to be different; the rest is as the address says by then, which may be ahead of `search` */
  onChange: (some: CallsSearch) => void;
  onClear: () => void;
}

/** The filters as a sentence: what is typed suggests its next part, and each part can be removed. */
export function CallFilter({ search, onChange, onClear }: CallFilterProps) {
  const frame = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const parts = useRef<HTMLUListElement>(null);
  const open = useOpenCall();
  const words = useWords(search);
  const combo = useCombobox({
    options: undefined,
    load: useSuggestions(),
    takesFirst: true,
    onChoose: ({ value }) => {
      const choice = readChoice(value);
      if (choice.kind === "field") return combo.setQuery(typedOf(choice.name));
      combo.setQuery("");
      combo.close();
      if (choice.kind === "id") return void open(choice.id);
      onChange({ [choice.name]: choice.value });
    },
    onOtherKey: (event) => {
      if (event.key === "Escape" && combo.query !== "") {
        event.preventDefault();
        combo.setQuery("");
        combo.close();
      }
      if (combo.query !== "" || words.length === 0) return;
      if (event.key === "Backspace") remove(words.at(-1));
      else if (event.key === "ArrowLeft") partButtons(parts.current).at(-1)?.focus();
    },
  });
  useShortcut("/", "Filter the calls, or find one by its id", () => field.current?.focus());
  const remove = (word: FilterWord | undefined) => word && onChange({ [word.name]: undefined });
  return (
    <div role="search" className="flex flex-wrap items-start gap-3 px-8 py-3 max-md:px-4">
      <div
        ref={frame}
        className={cx(
          frameClass,
          "min-h-8 min-w-0 flex-[1_1_24rem] flex-wrap gap-1! py-0.5 pr-1 pl-2.5 max-md:min-h-9",
        )}
      >
        <span className="text-13 text-fg-3">Calls</span>
        {words.length > 0 && (
          <ul ref={parts} aria-label="Filters in use" className="contents">
            {words.map((word) => (
              <Part
                key={word.name}
                word={word}
                onRemove={(button) => {
                  const all = partButtons(parts.current);
                  const next = all[all.indexOf(button) + 1] ?? field.current;
                  next?.focus();
                  remove(word);
                }}
                onEnd={() => field.current?.focus()}
              />
            ))}
          </ul>
        )}
        <input
          ref={field}
          {...combo.aria}
          aria-label="Filter the calls"
          type="text"
          autoComplete="off"
          spellCheck={false}
          placeholder={words.length === 0 ? "Filter by key, model, status, reason… or paste a call's id" : "and…"}
          value={combo.query}
          onClick={combo.show}
          onChange={(event) => combo.setQuery(event.target.value)}
          onKeyDown={combo.keyDown}
          onBlur={combo.close}
          className="h-6.5 min-w-24 flex-1 bg-transparent text-13 text-ellipsis outline-none max-md:text-[16px]"
        />
        {words.length === 0 ? (
          <Kbd className="mr-1">/</Kbd>
        ) : (
          <Button variant="quiet" size="sm" shortcut="esc" onClick={onClear}>
            Clear filters
          </Button>
        )}
        {combo.open && (
          <Listbox
            id={combo.listId}
            label="Filters"
            anchor={frame}
            options={combo.options}
            active={combo.active}
            chosen={[]}
            emptyText="Nothing matches. Write session: and the whole id to find calls by it"
            onActive={combo.setActive}
            onChoose={combo.choose}
          />
        )}
      </div>
      <TimeRangeFilter range={search} onChange={onChange} />
    </div>
  );
}

const partButtons = (list: HTMLElement | null) => [...(list?.querySelectorAll("button") ?? [])];

interface PartProps {
  word: FilterWord;
  onRemove: (button: HTMLButtonElement) => void;
  /** the arrow led past the last part */
  onEnd: () => void;
}

/** One part of the sentence; a click, Enter, Backspace or Delete removes it, and the arrows lead to the others. */
function Part({ word, onRemove, onEnd }: PartProps) {
  const keyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const { key, currentTarget: button } = event;
    if (!["Backspace", "Delete", "ArrowLeft", "ArrowRight"].includes(key)) return;
    event.preventDefault();
    if (key === "Backspace" || key === "Delete") return onRemove(button);
    const all = partButtons(button.closest("ul"));
    const next = all[all.indexOf(button) + (key === "ArrowRight" ? 1 : -1)];
    if (next !== undefined) next.focus();
    else if (key === "ArrowRight") onEnd();
  };
  return (
    <li className="max-w-full min-w-0">
      <button
        type="button"
        onClick={({ currentTarget }) => onRemove(currentTarget)}
        onKeyDown={keyDown}
        className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-1 border border-accent-line bg-accent-bg px-1.5 text-left text-12 text-fg-1 hover:border-accent max-md:min-h-9"
      >
        <span className="sr-only">Remove the filter </span>
        <span className="shrink-0 text-fg-2">{word.lead}</span>
        <bdi className="min-w-0 font-semibold wrap-anywhere">{word.value}</bdi>
        <X size={12} aria-hidden="true" className="shrink-0 text-fg-2" />
      </button>
    </li>
  );
}

function useWords(search: CallsSearch): FilterWord[] {
  const { key, provider } = search;
  const chosen = useQuery({ ...query(getKey, { params: { hash: key ?? "" } }), enabled: key !== undefined });
  const providers = useQuery({ ...everyProvider, enabled: provider !== undefined }).data?.data ?? [];
  return filterWords(search, {
    key: key === undefined ? undefined : chosen.data?.data.name,
    provider: providers.find(({ slug }) => slug === provider)?.name,
  });
}

/** What is typed is looked for by the gateway; the names of workspaces tell keys of one name apart. */
function useSuggestions(): LoadOptions {
  const { id = allWorkspaces } = useWorkspace();
  const { data: workspaces } = useQuery(everyWorkspace);
  return useMemo(() => suggestions(id, id === allWorkspaces ? workspaces : undefined), [id, workspaces]);
}

function suggestions(workspaceId: string, workspaces: readonly WorkspaceRecord[] | undefined): LoadOptions {
  const nameOf = (id: string) => workspaces?.find((workspace) => workspace.id === id)?.name;
  return async (text, signal) => {
    const typed = readTyped(text);
    const field = suggestedField(typed);
    if (field === null) return filterOptions(typed, [], nameOf);
    const of = { workspace_id: workspaceId, q: typed.text.slice(0, 200), ...(field !== "any" && { field }) };
    const { data } = await call(suggestCallFilters, { query: of }, { signal });
    return filterOptions(typed, data, nameOf);
  };
}

/** Leads to the call of an id; of a request that was refused, to its line. */
function useOpenCall(): (id: string) => Promise<void> {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  return async (id) => {
    if (!isRequestId(id)) return void navigate({ to: paths.call(path, id) });
    try {
      const { made, refused } = await findRequest(id);
      if (made !== undefined) return void navigate({ to: paths.call(path, made.id) });
      if (refused !== undefined) return void navigate({ to: paths.calls(path), search: filtersOfRefused(refused) });
      toast({
        message: "No call has this request id.",
        detail: "Of the calls refused in one minute, only the last one's id is kept.",
        tone: "trouble",
      });
    } catch {
      toast({ message: "The request could not be looked up.", detail: "Try again.", tone: "trouble" });
    }
  };
}
