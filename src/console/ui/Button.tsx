import type { ComponentPropsWithRef, MouseEvent, ReactNode } from "react";
import { cx } from "./cx.ts";
import { Spinner } from "./Spinner.tsx";
import { tip } from "./Tooltip.tsx";

export type ButtonVariant = "primary" | "default" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

export interface ButtonProps extends Omit<ComponentPropsWithRef<"button">, "disabled"> {
  /** One primary per view. `danger` is red words on paper, never a red fill. */
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  /** Shown inside the button, such as "C" or what `withMod` gives; the owner binds the key. */
  shortcut?: string | undefined;
  /** The label keeps its width, a spinner takes its place, clicks do nothing. */
  pending?: boolean | undefined;
  /** Why it cannot be used now: the button stays focusable, says the reason, and does nothing. */
  disabledReason?: string | false | null | undefined;
}

const base =
  "relative inline-flex items-center justify-center border whitespace-nowrap select-none transition-paint no-underline shrink-0";
const variants: Record<ButtonVariant, string> = {
  primary: "bg-ink border-ink text-on-ink font-semibold hover:bg-ink-hover hover:border-ink-hover",
  default: "bg-bg-0 border-line-2 text-fg-1 hover:bg-bg-3",
  quiet: "bg-transparent border-transparent text-fg-2 hover:bg-bg-3 hover:text-fg-1",
  danger: "bg-bg-0 border-bad-line text-bad-fg hover:bg-bg-3",
};
const sizes: Record<ButtonSize, string> = {
  sm: "h-7 max-md:h-9 px-2.5 gap-1.5 rounded-2 text-12",
  md: "h-8 max-md:h-9 px-3 gap-2 rounded-2 text-13",
  lg: "h-9 px-4 gap-2 rounded-2 text-14 font-semibold",
};
const off = "text-fg-3 bg-bg-2 border-line forced-colors:text-[GrayText] forced-colors:border-[GrayText]";

/** The classes of a button, for a router link that looks like one. */
export function buttonClass(
  options: { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined; off?: boolean | undefined } = {},
): string {
  const { variant = "default", size = "md" } = options;
  return cx(base, sizes[size], options.off ? off : variants[variant]);
}

/** A button. `type` is "button" unless said otherwise, so that one in a form does not submit by accident. */
export function Button({
  variant = "default",
  size = "md",
  icon,
  shortcut,
  pending,
  disabledReason,
  className,
  onClick,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  const dead = Boolean(pending || disabledReason);
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (dead) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    onClick?.(event);
  }
  return (
    <button
      type={type}
      aria-disabled={dead || undefined}
      aria-busy={pending || undefined}
      {...tip(disabledReason)}
      {...rest}
      onClick={click}
      className={cx(buttonClass({ variant, size, off: Boolean(disabledReason) }), className)}
    >
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
      <span className={cx("inline-flex items-center gap-[inherit]", pending && "opacity-0")}>
        {icon}
        <span>{children}</span>
        {shortcut && (
          <kbd
            aria-hidden="true"
            className={cx(
              "font-mono text-[11px] leading-4 font-normal max-md:hidden",
              variant === "primary" && !disabledReason
                ? "text-on-ink-2"
                : "px-1 text-fg-3 border border-line-2 rounded-1",
            )}
          >
            {shortcut}
          </kbd>
        )}
      </span>
    </button>
  );
}
