import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { cx } from "../ui/cx.ts";

let anyPageShown = false;

/** The workspace switcher's popover is a dialog that is always in the page, open or not. */
const openDialog = ":is([role=dialog], [role=alertdialog]):not([popover])";

export interface PageHeaderProps {
  /** the page's one h1, and its part of the document's title */
  title: string;
  /** in small type after the title */
  sub?: ReactNode;
  /** at the right end, the primary one last */
  actions?: ReactNode;
  /** on a phone, what comes after the title takes a line of its own, below the actions */
  stacked?: boolean;
}

/** The head of a page. Coming from another page it takes the focus, so that a screen reader says where one is. */
export function PageHeader({ title, sub, actions, stacked = false }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  // before the browser paints: later it would take the focus from the field that somebody types in already
  useLayoutEffect(() => {
    if (anyPageShown && document.querySelector(openDialog) === null) {
      heading.current?.focus({ preventScroll: true });
    }
    anyPageShown = true;
  }, []);
  return (
    <header className="flex min-h-8 flex-wrap items-center gap-3 px-8 max-md:px-4">
      <h1 ref={heading} tabIndex={-1} className="min-w-0 text-20 tracking-tight wrap-anywhere outline-none">
        {title}
      </h1>
      {sub !== undefined && sub !== false && (
        <div className={cx("pt-[3px] text-13 text-fg-3", stacked && "max-md:order-1 max-md:w-full max-md:pt-0")}>
          {sub}
        </div>
      )}
      {actions !== undefined && <div className="ml-auto flex flex-wrap items-center justify-end gap-2">{actions}</div>}
    </header>
  );
}
