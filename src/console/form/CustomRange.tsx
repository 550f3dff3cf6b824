import { useId } from "react";
import { DateInput } from "../ui/DateInput.tsx";
import { customDaysOf, type DayRange } from "./day-range.ts";
import { partsToDate } from "./utc-instant.ts";

interface CustomRangeProps {
  search: DayRange;
  now: Date;
  /** hears the day that is different */
  onChange: (day: { from?: string; to?: string }) => void;
}

/** The two UTC days of a range of one's own; both are in it. */
export function CustomRange({ search, now, onChange }: CustomRangeProps) {
  const id = useId();
  const days = customDaysOf(search, now);
  const today = now.toISOString().slice(0, 10);
  const take = (end: "from" | "to", day: string) => {
    const exists = partsToDate({ date: day, time: "00:00" }) !== null && day <= today;
    if (exists && day !== days[end]) onChange({ [end]: day });
  };
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
          <DateInput
            // a day that is chosen elsewhere comes in, one that is being typed stays
            key={days[end]}
            id={`${id}-${end}`}
            size="sm"
            className="w-36 tabular-nums"
            onPick={(day) => take(end, day)}
            max={today}
            defaultValue={days[end]}
            onBlur={(event) => take(end, event.target.value)}
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
