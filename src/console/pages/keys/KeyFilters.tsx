import { ChevronDown, Search } from "lucide-react";
import { useRef } from "react";
import { useShortcut } from "../../shell/shortcuts.ts";
import { ColumnPicker } from "../../table/ColumnPicker.tsx";
import { DensitySwitch } from "../../table/DensitySwitch.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { keyColumns } from "./key-columns.tsx";
import type { UsagePeriod } from "./search.ts";

const periods: Record<UsagePeriod, string> = {
  day: "today",
  week: "this week",
  month: "this month",
  total: "in total",
};

interface KeyFiltersProps {
  text: string;
  onText: (text: string) => void;
  usage: UsagePeriod;
  onUsage: (usage: UsagePeriod) => void;
  hidden: ReadonlySet<string>;
  onColumn: (column: string) => void;
}

/** The row over the table: what to look for at the left, how to show it at the right. */
export function KeyFilters({ text, onText, usage, onUsage, hidden, onColumn }: KeyFiltersProps) {
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
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || text === "") return;
          event.preventDefault();
          onText("");
        }}
      />
      <div className="-mr-3 ml-auto flex items-center max-md:hidden">
        <Menu
          trigger={
            <button
              type="button"
              className="inline-flex h-8 items-center gap-1.5 rounded-2 px-2 text-fg-3 hover:bg-bg-3"
            >
              Usage <span className="text-fg-1">{periods[usage]}</span>
              <ChevronDown size={12} aria-hidden="true" />
            </button>
          }
          items={(Object.keys(periods) as UsagePeriod[]).map((period) => ({
            kind: "radio",
            label: periods[period],
            checked: period === usage,
            onSelect: () => onUsage(period),
          }))}
        />
        <ColumnPicker columns={keyColumns} hidden={hidden} onToggle={onColumn} />
        <DensitySwitch />
      </div>
    </div>
  );
}
