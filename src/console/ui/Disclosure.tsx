import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface DisclosureProps {
  summary: ReactNode;
  open?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** More, behind a word. A native `details`, so that find-in-page opens it. */
export function Disclosure({ summary, open, className, children }: DisclosureProps) {
  return (
    <details open={open} className={cx("min-w-0", className)}>
      <summary className="group flex items-center gap-1.5 w-fit min-h-7 pr-2 text-fg-2 hover:text-fg-1 list-none rounded-1 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="transition-transform [details[open]>summary>&]:rotate-90"
        />
        {summary}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}
