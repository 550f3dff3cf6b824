import { createContext, use, useId, type ComponentPropsWithRef, type ReactNode } from "react";
import { cx } from "./cx.ts";

interface Group {
  name: string;
  value: string | null;
  onChange: (value: string) => void;
  disabled: boolean;
}

const GroupContext = createContext<Group | null>(null);

export interface RadioGroupProps {
  /** The accessible name; left out inside a FieldGroup, whose legend names it. */
  label?: string | undefined;
  value: string | null;
  onChange: (value: string) => void;
  disabled?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** Native radios that share a name: arrow keys, one tab stop and form semantics come with them. */
export function RadioGroup({ label, value, onChange, disabled = false, className, children }: RadioGroupProps) {
  const name = useId();
  return (
    <GroupContext value={{ name, value, onChange, disabled }}>
      <div role="radiogroup" aria-label={label} className={className ?? "flex flex-wrap gap-x-5 gap-y-1"}>
        {children}
      </div>
    </GroupContext>
  );
}

/** The state of one radio inside its group, to spread on an input. */
export function useRadio(value: string): ComponentPropsWithRef<"input"> {
  const group = use(GroupContext);
  if (!group) throw new Error(`A radio for "${value}" stands outside a RadioGroup`);
  return {
    type: "radio",
    name: group.name,
    value,
    checked: group.value === value,
    disabled: group.disabled,
    onChange: () => group.onChange(value),
  };
}

const dot =
  "appearance-none size-4 my-0.5 shrink-0 rounded-full bg-bg-0 border border-line-field checked:border-[5px] checked:border-ink " +
  "disabled:bg-bg-2 disabled:border-line-2 forced-colors:appearance-auto";

export interface RadioProps {
  value: string;
  label: ReactNode;
  disabled?: boolean | undefined;
}

/** One choice of a group, with its words. */
export function Radio({ value, label, disabled }: RadioProps) {
  const radio = useRadio(value);
  return (
    <label className="flex items-start gap-2 min-h-7 py-1">
      <input {...radio} disabled={disabled || radio.disabled} className={dot} />
      <span>{label}</span>
    </label>
  );
}

export interface RadioCardProps extends RadioProps {
  /** The consequence of the choice. */
  children?: ReactNode;
}

/** A choice that needs its consequences listed; nothing else earns a card. */
export function RadioCard({ value, label, disabled, children }: RadioCardProps) {
  const radio = useRadio(value);
  const id = useId();
  return (
    <label
      className={cx(
        "grid grid-cols-[auto_1fr] gap-x-2 gap-y-1.5 content-start p-3.5 bg-bg-0 border border-line-2 rounded-2",
        "has-checked:border-accent has-checked:outline-1 has-checked:outline-accent has-checked:outline-solid",
        "has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2",
      )}
    >
      <input
        {...radio}
        disabled={disabled || radio.disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-text`}
        className={cx(dot, "focus-visible:outline-none")}
      />
      <span id={`${id}-label`} className="font-semibold">
        {label}
      </span>
      <span id={`${id}-text`} className="col-span-2 grid gap-1.5 text-12 text-fg-2">
        {children}
      </span>
    </label>
  );
}
