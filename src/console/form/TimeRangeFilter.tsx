import { useState } from "react";
import { now } from "../api/clock.ts";
import { FilterInput } from "./FilterInput.tsx";
import { FilterSelect } from "./FilterSelect.tsx";
import { lastMinutes, lastRange, readBound, writeBound, type TimeRange } from "./time-range.ts";

interface TimeRangeFilterProps {
  range: TimeRange;
  onChange: (range: TimeRange) => void;
}

type Choice = keyof typeof lastMinutes | "range";
const choices: readonly (readonly [Choice, string])[] = [
  ["hour", "Last hour"],
  ["day", "Last 24 hours"],
  ["week", "Last 7 days"],
  ["month", "Last 30 days"],
  ["range", "From – until"],
];

/** A range in UTC: a named one, or two bounds as text. Both are instants in the URL. */
export function TimeRangeFilter({ range: { since, until }, onChange }: TimeRangeFilterProps) {
  const [opened, setOpened] = useState(false);
  const given = since !== undefined || until !== undefined;
  const choose = (value: Choice | undefined) => {
    setOpened(value === "range");
    if (value === undefined) onChange({ since: undefined, until: undefined });
    else if (value !== "range") onChange(lastRange(lastMinutes[value], now()));
  };
  return (
    <>
      <FilterSelect
        label="Time"
        any="Any time"
        choices={choices}
        value={given || opened ? "range" : undefined}
        onChange={choose}
        className="w-32 max-md:w-full"
      />
      {(given || opened) && (
        <>
          <Bound
            label="From"
            value={since}
            read={(text) => readBound(text, false)}
            wrong={(iso) => (until !== undefined && iso >= until ? "must be earlier than Until" : null)}
            onChange={(next) => onChange({ since: next, until })}
          />
          <Bound
            label="Until"
            value={until}
            read={(text) => readBound(text, true)}
            wrong={(iso) => (since !== undefined && iso <= since ? "must be later than From" : null)}
            onChange={(next) => onChange({ since, until: next })}
          />
        </>
      )}
    </>
  );
}

interface BoundProps {
  label: string;
  value: string | undefined;
  read: (text: string) => string | null;
  wrong: (iso: string) => string | null;
  onChange: (iso: string | undefined) => void;
}

/** Applies on Enter or on leaving the field; an invalid instant stays in the field and is marked. */
function Bound({ label, value, read, wrong, onChange }: BoundProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const take = (text: string | undefined) => {
    if ((text ?? "") === writeBound(value)) return setProblem(null);
    const iso = text === undefined ? undefined : read(text);
    const found = iso === null ? "must be like 2026-11-22 14:00, in UTC" : iso === undefined ? null : wrong(iso);
    setProblem(found);
    if (found === null) onChange(iso ?? undefined);
  };
  return (
    <span className="col-span-2 grid w-64 max-md:w-full">
      <FilterInput
        aria-label={`${label}, UTC`}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={problem === null ? undefined : `range-${label}`}
        prefix={label}
        suffix="UTC"
        placeholder="YYYY-MM-DD HH:mm"
        value={writeBound(value)}
        onTake={take}
        className="w-full tabular-nums"
      />
      {problem !== null && (
        <span id={`range-${label}`} role="alert" className="text-12 text-bad-fg">
          {label} {problem}.
        </span>
      )}
    </span>
  );
}
