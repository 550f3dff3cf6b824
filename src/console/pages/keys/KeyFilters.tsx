import { ChevronDown } from "lucide-react";
import { useMemo, type ComponentPropsWithRef } from "react";
import type { KeyRecord } from "#contract/keys.ts";
import { FilterSearch } from "../../shell/FilterSearch.tsx";
import { columnItems, ColumnPicker } from "../../table/ColumnPicker.tsx";
import { DensitySwitch } from "../../table/DensitySwitch.tsx";
import { setPreference, usePreference } from "../../preferences.ts";
import { Menu, type MenuItem } from "../../ui/Menu.tsx";
import { expiryChoices, limitChoices } from "./filters.ts";
import { keyColumns } from "./key-columns.tsx";
import { type KeysSearch, showUsage, type UsagePeriod } from "./search.ts";
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
  /** what the page's head has no room for on a phone */
  also: readonly MenuItem[];
}

/** The row over the table: what to look for at the left, how to show it at the right; in two menus where it is narrow. */
export function KeyFilters({ list, hidden, onColumn, also }: KeyFiltersProps) {
  const { search, change, text, type, settle } = list;
  const usage = search.usage ?? "week";
  const creators = useCreators(list.all);
  const compact = usePreference("density") === "compact";
  const limit: ChoiceProps<NonNullable<KeysSearch["limit"]>> = {
    label: "Limit",
    value: search.limit,
    words: limitChoices,
    onChange: (chosen) => change({ limit: chosen }),
  };
  const expires: ChoiceProps<NonNullable<KeysSearch["expires"]>> = {
    label: "Expires",
    value: search.expires,
    words: expiryChoices,
    onChange: (chosen) => change({ expires: chosen }),
  };
  const creator: ChoiceProps<string> = {
    label: "Creator",
    value: search.creator,
    words: Object.fromEntries([...creators, ...(search.creator ? [search.creator] : [])].map((name) => [name, name])),
    onChange: (chosen) => change({ creator: chosen }),
    ...(list.read.hasNextPage && { note: "Creators of the keys loaded so far" }),
  };
  const anyCreator = creators.length > 0 || search.creator !== undefined;
  const usages = (Object.keys(periods) as UsagePeriod[]).map((period): MenuItem => ({
    kind: "radio",
    label: periods[period],
    checked: period === usage,
    onSelect: () => change(showUsage(search, period)),
  }));
  const filtered = [search.limit, search.expires, search.creator].filter((value) => value !== undefined).length;
  return (
    <div className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-4 gap-y-2 px-8 py-2 max-md:gap-x-2 max-md:px-4">
      <FilterSearch
        shortcut="Filter the keys"
        label="Filter by name, label or hash"
        placeholder="Name, label or hash"
        className="w-64 max-md:w-auto max-md:min-w-50 max-md:flex-1"
        value={text}
        onChange={(typed = "") => type(typed)}
        // at once: told later, it would lead back from what is opened next
        onBlur={settle}
      />
      <div className="flex items-center max-xl:hidden">
        <Choice {...limit} />
        <Choice {...expires} />
        {anyCreator && <Choice {...creator} />}
      </div>
      <div className="flex items-center xl:hidden">
        <Menu
          align="start"
          trigger={<Trigger label={filtered === 0 ? "Filters" : `Filters (${filtered})`} />}
          items={[...choices(limit), ...choices(expires), ...(anyCreator ? choices(creator) : [])]}
        />
        <Menu
          trigger={<Trigger label="More" />}
          items={[
            ...also,
            { kind: "heading", label: "Usage" },
            ...usages,
            { kind: "heading", label: "Columns" },
            ...columnItems(keyColumns, hidden, onColumn),
            { kind: "heading", label: "Rows" },
            {
              kind: "check",
              label: "Compact",
              checked: compact,
              onSelect: () => setPreference("density", compact ? "regular" : "compact"),
            },
          ]}
        />
      </div>
      <div className="-mr-3 ml-auto flex items-center max-xl:hidden">
        <Menu trigger={<Trigger label="Usage" word={periods[usage]} />} items={usages} />
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
  /** under the choices, where they are not all there are */
  note?: string;
}

/** One filter in a menu of several: its name, then any, or one of a few. */
function choices<V extends string>({ label, value, words, onChange, note }: ChoiceProps<V>): MenuItem[] {
  const item = (choice: V | undefined, word: string) =>
    ({ kind: "radio", label: word, checked: choice === value, onSelect: () => onChange(choice) }) as const;
  return [
    { kind: "heading", label },
    item(undefined, "any"),
    ...(Object.keys(words) as V[]).map((choice) => item(choice, words[choice])),
    ...(note === undefined ? [] : [{ kind: "heading", label: note } as const]),
  ];
}

/** One filter in a menu of its own. */
function Choice<V extends string>(props: ChoiceProps<V>) {
  const { label, value, words } = props;
  return (
    <Menu
      align="start"
      trigger={<Trigger label={label} word={value === undefined ? "any" : words[value]} />}
      items={choices(props).slice(1)}
    />
  );
}

/** Name and present choice, as one quiet button. The menu hands its own attributes and ref through. */
function Trigger({ label, word, ...rest }: { label: string; word?: string } & ComponentPropsWithRef<"button">) {
  return (
    <button
      type="button"
      {...rest}
      className="inline-flex h-8 items-center gap-1.5 rounded-2 px-2 whitespace-nowrap text-fg-3 max-md:h-9 hover:bg-bg-3"
    >
      {label} {word !== undefined && <span className="max-w-40 truncate text-fg-1">{word}</span>}
      <ChevronDown size={12} aria-hidden="true" />
    </button>
  );
}
