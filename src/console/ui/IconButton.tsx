import type { ComponentPropsWithRef, MouseEvent, ReactNode } from "react";
import { cx } from "./cx.ts";
import { tip } from "./Tooltip.tsx";

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "disabled" | "aria-label"> {
  /** The accessible name, also the tooltip. */
  label: string;
  children: ReactNode;
  disabledReason?: string | false | null | undefined;
}

/** A quiet 28 px square (36 on a phone) with an icon of 14 to 16 px in it. */
export function IconButton({
  label,
  children,
  disabledReason,
  className,
  onClick,
  type = "button",
  ...rest
}: IconButtonProps) {
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (disabledReason) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      type={type}
      aria-label={label}
      aria-disabled={disabledReason ? true : undefined}
      {...tip(disabledReason ? `${label}: ${disabledReason}` : label)}
      {...rest}
      onClick={click}
      className={cx(
        "inline-grid place-items-center size-7 max-md:size-9 shrink-0 rounded-2 transition-paint",
        disabledReason ? "text-fg-3 opacity-60" : "text-fg-2 hover:bg-bg-3 hover:text-fg-1",
        className,
      )}
    >
      {children}
    </button>
  );
}
