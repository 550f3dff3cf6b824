import { useId, useState, type ClipboardEvent, type Ref } from "react";
import { useNow } from "../api/clock.ts";
import { localZone } from "../format.ts";
import { DateInput, TimeInput } from "../ui/DateInput.tsx";
import { FieldError, FieldGroup } from "../ui/Field.tsx";
import { Chips } from "../ui/Segmented.tsx";
import { StatusShape } from "../ui/Status.tsx";
import { parsePasted, partsToDate, presetParts, type Preset, type UtcParts } from "./utc-instant.ts";
import { localLine, zoneWarnings } from "./zone.ts";

const presets = [
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "60d", label: "60 days" },
  { value: "90d", label: "90 days" },
  { value: "1y", label: "1 year" },
  { value: "none", label: "No expiry" },
] as const;

export interface UtcInstantFieldProps {
  label: string;
  /** null is "never" */
  value: UtcParts | null;
  onChange: (value: UtcParts | null) => void;
  onBlur?: (() => void) | undefined;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

const empty: UtcParts = { date: "", time: "" };

/** A date and a time in UTC in one form whatever the browser's language, presets that end with the UTC day, and what it is where one sits. */
export function UtcInstantField({ label, value, onChange, onBlur, error, ref }: UtcInstantFieldProps) {
  const id = useId();
  const now = useNow(30_000);
  const zone = localZone();
  const [pasted, setPasted] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const parts = value ?? empty;

  function set(next: UtcParts | null): void {
    setPasted(null);
    setRefused(null);
    onChange(next);
  }
  function paste(event: ClipboardEvent): void {
    const read = parsePasted(event.clipboardData.getData("text/plain"));
    if (read === null) return;
    event.preventDefault();
    if ("problem" in read) return setRefused(read.problem);
    set(read.parts);
    setPasted(read.note);
  }
  const problem = refused ?? error;
  const described = problem
    ? { "aria-invalid": true as const, "aria-describedby": `${id}-error` }
    : { "aria-describedby": `${id}-local` };

  return (
    <FieldGroup label={`${label}, UTC`}>
      <Chips
        label={`${label}, presets`}
        choices={presets}
        value={presetOf(value, now)}
        onChange={(preset) => set(preset === "none" ? null : presetParts(preset, now))}
      />
      {/* a paste on either control may be a whole instant */}
      <div className="flex flex-wrap gap-2 pt-0.5" onPaste={paste}>
        <DateInput
          {...described}
          ref={ref}
          aria-label={`${label} date, UTC`}
          suffix="UTC"
          className="w-56 tabular-nums"
          value={parts.date}
          onChange={(event) => set({ date: event.target.value, time: parts.time === "" ? "23:59:59" : parts.time })}
          onBlur={onBlur}
        />
        <TimeInput
          {...described}
          aria-label={`${label} time, UTC`}
          suffix="UTC"
          className="w-36 tabular-nums"
          value={parts.time}
          onChange={(event) => set({ ...parts, time: event.target.value })}
          onBlur={onBlur}
        />
      </div>
      {problem ? (
        <FieldError id={`${id}-error`}>{problem}</FieldError>
      ) : (
        <Meaning id={`${id}-local`} value={value} now={now} zone={zone} />
      )}
      {pasted && (
        <p role="status" className="text-12 text-fg-2">
          {pasted}
        </p>
      )}
    </FieldGroup>
  );
}

function Meaning({ id, value, now, zone }: { id: string; value: UtcParts | null; now: Date; zone: string }) {
  const at = value && partsToDate(value);
  if (!at) {
    return (
      <p id={id} className="text-12 text-fg-3">
        {value ? "Presets end at 23:59:59 UTC of their day." : "It works until it is disabled or deleted."}
      </p>
    );
  }
  return (
    <div id={id} className="grid gap-1 text-12">
      <p className="text-fg-2 tabular-nums">{localLine(at, now, zone)}</p>
      {zoneWarnings(at, now, zone).map((warning) => (
        <p key={warning} className="flex items-start gap-1.5 text-warn-fg">
          <StatusShape kind="warning" size={9} className="mt-1 text-warn-fg" />
          {warning}
        </p>
      ))}
      <p className="sr-only">Presets end at 23:59:59 UTC of their day.</p>
    </div>
  );
}

function presetOf(value: UtcParts | null, now: Date): Preset | null {
  if (value === null) return "none";
  const found = presets.find(({ value: preset }) => {
    if (preset === "none") return false;
    const parts = presetParts(preset, now);
    return parts.date === value.date && parts.time === value.time;
  });
  return found?.value ?? null;
}
