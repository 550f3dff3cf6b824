import { createContext, use, useId, type ComponentPropsWithRef, type ReactNode } from "react";

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
  if (!group) throw new Error("A radio needs a RadioGroup");
  return {
    type: "radio",
    name: group.name,
    value,
    checked: group.value === value,
    disabled: group.disabled,
    onChange: () => group.onChange(value),
  };
}

/** The circle that is clicked. */
export const radioDot =
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
      <input {...radio} disabled={disabled || radio.disabled} className={radioDot} />
      <span>{label}</span>
    </label>
  );
}
