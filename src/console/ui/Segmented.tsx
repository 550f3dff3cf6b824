import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { RadioGroup, useRadio } from "./Radio.tsx";
import { steadyLabel } from "./steady-label.ts";

export interface Choice<V extends string> {
  value: V;
  label: ReactNode;
}

export interface SegmentedProps<V extends string> {
  label?: string | undefined;
  choices: readonly Choice<V>[];
  value: V | null;
  onChange: (value: V) => void;
  size?: "sm" | "md" | undefined;
  /** As wide as its place, each part the same. */
  wide?: boolean | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
}

/** Two to five choices side by side; a radio group, so arrows move and the chosen one is the tab stop. */
export function Segmented<V extends string>({
  label,
  choices,
  value,
  onChange,
  size = "md",
  wide,
  disabled,
  className,
}: SegmentedProps<V>) {
  return (
    <RadioGroup
      label={label}
      value={value}
      onChange={(next) => onChange(next as V)}
      disabled={disabled}
      className={cx(
        wide ? "grid" : "inline-grid w-fit",
        "grid-flow-col auto-cols-fr bg-bg-0 border border-line-field rounded-2 max-md:h-9",
        size === "sm" ? "h-7 text-12" : "h-8",
        className,
      )}
    >
      {choices.map((choice) => (
        <Part key={choice.value} choice={choice} size={size} />
      ))}
    </RadioGroup>
  );
}

function Part({ choice, size }: { choice: Choice<string>; size: "sm" | "md" }) {
  const radio = useRadio(choice.value);
  return (
    <label
      data-label={typeof choice.label === "string" ? choice.label : undefined}
      className={cx(
        steadyLabel,
        "relative content-center place-items-center text-fg-2 border-r border-line last:border-r-0 whitespace-nowrap first:rounded-l-[3px] last:rounded-r-[3px]",
        "has-checked:text-fg-1 has-checked:font-semibold has-checked:bg-bg-3 has-checked:shadow-[inset_0_-2px_0_var(--accent)]",
        "has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 has-focus-visible:z-1",
        "forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none",
        size === "sm" ? "px-2.5" : "px-3.5 max-md:px-2",
      )}
    >
      <input {...radio} className="absolute -inset-y-px inset-x-0 appearance-none outline-none" />
      {choice.label}
    </label>
  );
}

export interface ChipsProps<V extends string> {
  label?: string | undefined;
  choices: readonly Choice<V>[];
  /** `null` when what is set is none of the presets. */
  value: V | null;
  onChange: (value: V) => void;
  className?: string | undefined;
}

/** Presets next to a free-form field: a radio group of small chips. */
export function Chips<V extends string>({ label, choices, value, onChange, className }: ChipsProps<V>) {
  return (
    <RadioGroup
      label={label}
      value={value}
      onChange={(next) => onChange(next as V)}
      className={cx("flex flex-wrap gap-1.5", className)}
    >
      {choices.map((choice) => (
        <Chip key={choice.value} choice={choice} />
      ))}
    </RadioGroup>
  );
}

function Chip({ choice }: { choice: Choice<string> }) {
  const radio = useRadio(choice.value);
  return (
    <label
      className={cx(
        "relative inline-flex items-center h-7 max-md:h-9 px-2 text-12 tabular-nums whitespace-nowrap text-fg-2 bg-bg-0 border border-line-2 rounded-1",
        "has-checked:text-fg-1 has-checked:font-semibold has-checked:border-accent has-checked:bg-accent-bg",
        "has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2",
        "forced-colors:has-checked:border-[Highlight] forced-colors:has-checked:outline-1 forced-colors:has-checked:outline-solid",
      )}
    >
      <input {...radio} className="absolute -inset-y-px inset-x-0 appearance-none outline-none" />
      {choice.label}
    </label>
  );
}
