import { FilterSelect } from "../../form/FilterSelect.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import type { CallsSearch } from "./search.ts";

type Sorted = NonNullable<CallsSearch["sort"]>;

const sorts: readonly (readonly [Sorted, string])[] = [
  ["cost", "By cost"],
  ["tokens", "By tokens"],
  ["duration", "By duration"],
];

/** The order after a press on the head of a column: the largest first, then the smallest; by time only newest first. */
export function nextSort({ sort, order }: CallsSearch, by: string): Pick<CallsSearch, "sort" | "order"> {
  const next = sorts.find(([one]) => one === by)?.[0];
  return { sort: next, order: next !== undefined && next === sort && order === undefined ? "asc" : undefined };
}

interface ListBarProps {
  search: CallsSearch;
  onChange: (some: CallsSearch) => void;
}

/** What the list has a line for; on a phone, which has no heads to press, its order too. */
export function ListBar({ search: { group, sort }, onChange }: ListBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 px-8 pb-3 max-md:px-4">
      <Segmented
        label="List"
        size="sm"
        choices={[
          { value: "call", label: "Calls" },
          { value: "session", label: "Sessions" },
        ]}
        value={group ?? "call"}
        onChange={(next) => onChange({ group: next === "session" ? next : undefined })}
      />
      {group === undefined && (
        <FilterSelect
          label="Order"
          any="Newest first"
          choices={sorts}
          value={sort}
          onChange={(next) => onChange({ sort: next, order: undefined })}
          className="w-36 md:hidden"
        />
      )}
    </div>
  );
}
