import type { ComponentPropsWithRef, ReactNode } from "react";
import { cx } from "./cx.ts";
import { tip } from "./Tooltip.tsx";

export interface SwitchProps extends Omit<
  ComponentPropsWithRef<"input">,
  "type" | "onChange" | "checked" | "disabled"
> {
  /** The accessible name; shown before the state unless `hideLabel`. */
  label: string;
  hideLabel?: boolean | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Keeps it in reach, says why it cannot be switched. */
  disabledReason?: string | false | null | undefined;
  /** In place of On and Off. */
  words?: { on: ReactNode; off: ReactNode } | undefined;
}

/** A sliding switch, always with the word On or Off next to it. */
export function Switch({
  label,
  hideLabel,
  checked,
  onChange,
  disabledReason,
  words,
  className,
  ...rest
}: SwitchProps) {
  const state = checked ? (words?.on ?? "On") : (words?.off ?? "Off");
  return (
    <label
      className={cx("inline-flex items-center gap-2 min-h-7 text-12 text-fg-2", className)}
      {...tip(disabledReason)}
    >
      <span className="relative w-7 h-4 shrink-0">
        <input
          type="checkbox"
          role="switch" // oxlint-disable-line jsx-a11y/role-has-required-aria-props -- a checkbox has its own checked state
          aria-label={label}
          aria-disabled={disabledReason ? true : undefined}
          {...tip(disabledReason)}
          {...rest}
          checked={checked}
          onChange={(event) => {
            if (!disabledReason) onChange(event.target.checked);
          }}
          className={cx(
            "peer appearance-none block w-7 h-4 rounded-1 border border-line-field bg-bg-0 transition-paint checked:bg-accent checked:border-accent",
            "aria-disabled:opacity-60 forced-colors:checked:bg-[Highlight]",
          )}
        />
        <span
          aria-hidden="true"
          className="absolute top-[3px] bottom-[3px] left-[3px] w-2 rounded-[1px] bg-line-field pointer-events-none transition-transform peer-checked:translate-x-3.5 peer-checked:bg-bg-0 forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none"
        />
      </span>
      <span aria-hidden="true">
        {!hideLabel && `${label}: `}
        {state}
      </span>
    </label>
  );
}
