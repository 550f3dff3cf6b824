import type { Ref } from "react";
import { TextInput } from "../ui/TextInput.tsx";
import type { FieldControl } from "../ui/Field.tsx";
import { parseUsd } from "./usd.ts";

export interface MoneyInputProps extends Partial<FieldControl> {
  /** as typed; it stays text until it is sent */
  value: string;
  onChange: (text: string) => void;
  onBlur?: (() => void) | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
  "aria-label"?: string | undefined;
  className?: string | undefined;
}

/**
 * An amount in USD: the sign is outside the value, wheel and arrow keys change nothing, leaving the field tidies it.
 */
export function MoneyInput({ value, onChange, onBlur, ...rest }: MoneyInputProps) {
  return (
    <TextInput
      {...rest}
      prefix="$"
      figures
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => {
        const read = parseUsd(value);
        if ("text" in read && read.text !== value) onChange(read.text);
        onBlur?.();
      }}
    />
  );
}
