import { useState } from "react";
import { now } from "../api/clock.ts";
import { NativeSelect } from "../ui/NativeSelect.tsx";
import { FilterInput } from "./FilterInput.tsx";
import { lastMinutes, lastRange, readBound, writeBound, type TimeRange } from "./time-range.ts";

interface TimeRangeFilterProps {
  range: TimeRange;
  onChange: (range: TimeRange) => void;
}

/** A range in UTC: a named one, or two bounds as text. Both are instants in the URL. */
export function TimeRangeFilter({ range: { since, until }, onChange }: TimeRangeFilterProps) {
  const [opened, setOpened] = useState(false);
  const given = since !== undefined || until !== undefined;
  const choose = (value: string) => {
    setOpened(value === "range");
    if (value === "any") onChange({ since: undefined, until: undefined });
    const minutes = lastMinutes[value as keyof typeof lastMinutes];
    if (minutes !== undefined) onChange(lastRange(minutes, now()));
  };
  return (
    <>
      <NativeSelect
        aria-label="Time"
        value={given || opened ? "range" : "any"}
        onChange={({ target: { value } }) => choose(value)}
        className="w-32 max-md:w-full"
      >
        <option value="any">Any time</option>
        <option value="hour">Last hour</option>
        <option value="day">Last 24 hours</option>
        <option value="week">Last 7 days</option>
        <option value="month">Last 30 days</option>
        <option value="range">From – until</option>
      </NativeSelect>
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
    <span className="grid max-md:col-span-2 max-md:w-full">
      <FilterInput
        aria-label={`${label}, UTC`}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={problem === null ? undefined : `range-${label}`}
        prefix={label}
        suffix="UTC"
        placeholder="YYYY-MM-DD HH:mm"
        value={writeBound(value)}
        onTake={take}
        className="w-64 tabular-nums max-md:w-full"
      />
      {problem !== null && (
        <span id={`range-${label}`} role="alert" className="text-12 text-bad-fg">
          {label} {problem}.
        </span>
      )}
    </span>
  );
}
