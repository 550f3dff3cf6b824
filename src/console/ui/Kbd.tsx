import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** A key hint. Hidden on a phone, where there is no keyboard to hint at; never read out, the control names itself. */
export function Kbd({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <kbd
      aria-hidden="true"
      className={cx(
        "font-mono text-[11px] leading-4 shrink-0 whitespace-nowrap px-1 text-fg-3 border border-line-2 rounded-1 max-md:hidden",
        className,
      )}
    >
      {children}
    </kbd>
  );
}
