import { cx } from "../ui/cx.ts";
import { NativeSelect } from "../ui/NativeSelect.tsx";

interface FilterSelectProps<Value extends string> {
  label: string;
  /** in words: it does not filter */
  any: string;
  choices: readonly (readonly [value: Value, words: string])[];
  /** as it is in the address, where it may be none of the choices */
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  className?: string;
}

/** A filter that is one of a few. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, any, choices, value, onChange, className } = props;
  const all: [string, string][] = choices.map(([choice, words]) => [choice, words]);
  if (value !== undefined && !all.some(([choice]) => choice === value)) all.unshift([value, value]);
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : (target.value as Value))}
      // as gray as the placeholder of the field next to it
      className={cx("has-[option[value='']:checked]:text-fg-3", className)}
    >
      <option value="">{any}</option>
      {all.map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </NativeSelect>
  );
}
