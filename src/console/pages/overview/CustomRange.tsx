import { useId } from "react";
import { TextInput } from "../../ui/TextInput.tsx";
import { customDaysOf } from "./ranges.ts";
import type { OverviewSearch } from "./ranges.ts";

interface CustomRangeProps {
  search: OverviewSearch;
  now: Date;
  onChange: (days: { from: string; to: string }) => void;
}

/** The two UTC days of a range of one's own; both are in it. */
export function CustomRange({ search, now, onChange }: CustomRangeProps) {
  const id = useId();
  const days = customDaysOf(search, now);
  const today = now.toISOString().slice(0, 10);
  return (
    <div
      role="group"
      aria-label="Custom range, UTC"
      className="flex flex-wrap items-center gap-2 px-8 pt-3 text-12 max-md:px-4"
    >
      {(["from", "to"] as const).map((end) => (
        <span key={end} className="flex items-center gap-2">
          <label htmlFor={`${id}-${end}`} className="text-fg-3">
            {end === "from" ? "From" : "to"}
          </label>
          <TextInput
            // a day that is chosen elsewhere comes in, one that is being typed stays
            key={days[end]}
            id={`${id}-${end}`}
            type="date"
            size="sm"
            max={today}
            defaultValue={days[end]}
            onBlur={(event) => {
              const value = event.target.value;
              if (value !== "" && value !== days[end]) onChange({ ...days, [end]: value });
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") event.currentTarget.blur();
            }}
          />
        </span>
      ))}
      <span className="text-fg-3">UTC, both days included</span>
    </div>
  );
}
