import { ChevronDown, Search } from "lucide-react";
import { useMemo, useRef } from "react";
import type { ComponentPropsWithRef } from "react";
import type { KeyRecord } from "#contract/keys.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { ColumnPicker } from "../../table/ColumnPicker.tsx";
import { DensitySwitch } from "../../table/DensitySwitch.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { expiryChoices, limitChoices } from "./filters.ts";
import { keyColumns } from "./key-columns.tsx";
import type { UsagePeriod } from "./search.ts";
import type { KeyList } from "./use-key-list.ts";

const periods: Record<UsagePeriod, string> = {
  day: "today",
  week: "this week",
  month: "this month",
  total: "in total",
};

interface KeyFiltersProps {
  list: KeyList;
  hidden: ReadonlySet<string>;
  onColumn: (column: string) => void;
}

/** The row over the table: what to look for at the left, how to show it at the right. */
export function KeyFilters({ list, hidden, onColumn }: KeyFiltersProps) {
  const { search, change, text, type } = list;
  const usage = search.usage ?? "week";
  const creators = useCreators(list.all);
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", "Filter the keys", () => field.current?.focus());
  return (
    <div className="flex h-13 shrink-0 items-center gap-4 px-8 max-md:h-auto max-md:gap-3 max-md:px-4 max-md:py-2">
      <TextInput
        ref={field}
        type="search"
        size="md"
        prefix={<Search size={14} aria-hidden="true" />}
        suffix={<Kbd>/</Kbd>}
        aria-label="Filter by name, label or hash"
        placeholder="Name, label or hash"
        spellCheck={false}
        className="w-64 max-md:w-auto max-md:grow"
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || text === "") return;
          event.preventDefault();
          type("");
        }}
      />
      <div className="flex items-center max-md:hidden">
        <Choice
          label="Limit"
          value={search.limit}
          words={limitChoices}
          onChange={(limit) => change({ ...search, limit })}
        />
        <Choice
          label="Expires"
          value={search.expires}
          words={expiryChoices}
          onChange={(expires) => change({ ...search, expires })}
        />
        {(creators.length > 0 || search.creator !== undefined) && (
          <Choice
            label="Creator"
            value={search.creator}
            words={Object.fromEntries(
              [...creators, ...(search.creator ? [search.creator] : [])].map((name) => [name, name]),
            )}
            onChange={(creator) => change({ ...search, creator })}
          />
        )}
      </div>
      <div className="-mr-3 ml-auto flex items-center max-md:hidden">
        <Menu
          trigger={<Trigger label="Usage" word={periods[usage]} />}
          items={(Object.keys(periods) as UsagePeriod[]).map((period) => ({
            kind: "radio",
            label: periods[period],
            checked: period === usage,
            onSelect: () => change({ ...search, usage: period === "week" ? undefined : period }),
          }))}
        />
        <ColumnPicker columns={keyColumns} hidden={hidden} onToggle={onColumn} />
        <DensitySwitch />
      </div>
    </div>
  );
}

/** Who made the keys that are loaded. */
function useCreators(keys: readonly KeyRecord[]): readonly string[] {
  return useMemo(
    () => [...new Set(keys.flatMap((key) => key.creator_user_id ?? []))].toSorted((a, b) => a.localeCompare(b)),
    [keys],
  );
}

interface ChoiceProps<V extends string> {
  label: string;
  value: V | undefined;
  words: Readonly<Record<V, string>>;
  onChange: (value: V | undefined) => void;
}

/** One filter: any, or one of a few. */
function Choice<V extends string>({ label, value, words, onChange }: ChoiceProps<V>) {
  const item = (choice: V | undefined, word: string) =>
    ({ kind: "radio", label: word, checked: choice === value, onSelect: () => onChange(choice) }) as const;
  return (
    <Menu
      align="start"
      trigger={<Trigger label={label} word={value === undefined ? "any" : words[value]} />}
      items={[item(undefined, "any"), ...(Object.keys(words) as V[]).map((choice) => item(choice, words[choice]))]}
    />
  );
}

/** Name and present choice, as one quiet button. The menu hands its own attributes and ref through. */
function Trigger({ label, word, ...rest }: { label: string; word: string } & ComponentPropsWithRef<"button">) {
  return (
    <button
      type="button"
      {...rest}
      className="inline-flex h-8 items-center gap-1.5 rounded-2 px-2 whitespace-nowrap text-fg-3 hover:bg-bg-3"
    >
      {label} <span className="max-w-40 truncate text-fg-1">{word}</span>
      <ChevronDown size={12} aria-hidden="true" />
    </button>
  );
}
