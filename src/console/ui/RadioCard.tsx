import { useId, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { radioDot, type RadioProps, useRadio } from "./Radio.tsx";

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
        className={cx(radioDot, "focus-visible:outline-none")}
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
