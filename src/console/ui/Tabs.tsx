import { useId, type KeyboardEvent, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { moreShadow } from "./more-shadow.ts";
import { steadyLabel } from "./steady-label.ts";
import { StatusShape, type StatusKind } from "./Status.tsx";
import { watchTabs } from "./watch-tabs.ts";

/** The row of tabs. */
const tabsClass = cx(
  "flex shrink-0 gap-5 border-b border-line-2 max-xl:overflow-x-auto max-xl:[scrollbar-width:none]",
  moreShadow,
);

/** One tab, chosen through `aria-selected` or, as a link, `aria-current`. For the router's own link component. */
export const tabClass =
  "relative flex min-w-6 shrink-0 items-center justify-start gap-1.5 h-9 text-13 text-fg-2 whitespace-nowrap hover:text-fg-1 rounded-1 -outline-offset-2 " +
  "aria-selected:text-fg-1 aria-selected:font-semibold aria-[current]:text-fg-1 aria-[current]:font-semibold " +
  "after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:bg-transparent aria-selected:after:bg-fg-1 aria-[current]:after:bg-fg-1 " +
  "forced-colors:aria-selected:after:bg-[Highlight] forced-colors:aria-[current]:after:bg-[Highlight]";

export interface TabLabelProps {
  children: ReactNode;
  count?: number | string | undefined;
  /** A shape before the word, for a tab that holds trouble. */
  status?: StatusKind | undefined;
}

/** The content of a tab: shape, word, count. */
export function TabLabel({ children, count, status }: TabLabelProps) {
  return (
    <>
      {status && <StatusShape kind={status} size={8} />}
      {typeof children === "string" ? (
        <span data-label={children} className={cx(steadyLabel, "justify-items-start")}>
          {children}
        </span>
      ) : (
        children
      )}
      {count !== undefined && <span className="text-12 font-normal text-fg-3 tabular-nums">{count}</span>}
    </>
  );
}

/** Tabs that are addresses: put router links with `tabClass` inside. */
export function TabNav({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <nav ref={watchTabs} aria-label={label} className={cx(tabsClass, className)}>
      {children}
    </nav>
  );
}

export interface TabItem<V extends string> {
  value: V;
  label: ReactNode;
  count?: number | string | undefined;
  status?: StatusKind | undefined;
}

export interface TabsProps<V extends string> {
  label: string;
  tabs: readonly TabItem<V>[];
  value: V;
  onChange: (value: V) => void;
  /** Arrows only move; Enter or Space chooses. For panels that are heavy to show. */
  manual?: boolean | undefined;
  /** At the right end of the row. */
  aside?: ReactNode;
  className?: string | undefined;
  /** The panel of the chosen tab. */
  children: ReactNode;
}

/** Tabs over a panel in the same page. */
export function Tabs<V extends string>({
  label,
  tabs,
  value,
  onChange,
  manual,
  aside,
  className,
  children,
}: TabsProps<V>) {
  const id = useId();
  function move(event: KeyboardEvent<HTMLElement>) {
    const row = event.currentTarget.parentElement;
    const buttons = [...(row?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
    const from = buttons.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const target = buttons.at(to % buttons.length);
    target?.focus();
    const tab = tabs[target ? buttons.indexOf(target) : -1];
    if (tab && !manual) onChange(tab.value);
  }
  return (
    <div className={className}>
      {/* each row has its own rule, so that tabs stand on one where there is no room beside them */}
      <div className="flex flex-wrap items-stretch *:border-b *:border-line-2">
        <div
          ref={watchTabs}
          role="tablist"
          aria-label={label}
          className={cx(tabsClass, "max-w-full min-w-0 grow basis-40 *:h-auto *:min-h-9")}
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
              className={tabClass}
            >
              <TabLabel count={tab.count} status={tab.status}>
                {tab.label}
              </TabLabel>
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
