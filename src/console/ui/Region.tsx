import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { cx } from "./cx.ts";
import { Mark } from "./Mark.tsx";
import { Notice } from "./Notice.tsx";

export interface RegionProps {
  label?: string | undefined;
  /** Loading for the first time. */
  busy?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A part of a page that loads, fails or is empty by itself; busy while it has nothing to show yet. */
export function Region({ label, busy, className, children }: RegionProps) {
  return (
    <section aria-label={label} aria-busy={busy || undefined} className={className}>
      {children}
    </section>
  );
}

export interface EmptyStateProps {
  title: ReactNode;
  /** One sentence of what the thing is for. */
  children: ReactNode;
  /** One primary button. */
  action?: ReactNode;
  /** One link to read on. */
  link?: ReactNode;
  /** A snippet under it. */
  example?: ReactNode;
}

/** Never had any: left-aligned, where the content would be. */
export function EmptyState({ title, children, action, link, example }: EmptyStateProps) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-4">
      <Mark size={28} />
      <div>
        <h2 className="text-16">{title}</h2>
        <p className="pt-1 max-w-100 text-fg-2">{children}</p>
        {(action ?? link) && (
          <div className="flex flex-wrap items-center gap-3 pt-3.5">
            {action}
            {link}
          </div>
        )}
        {example && <div className="pt-4 max-w-140">{example}</div>}
      </div>
    </div>
  );
}

export interface FilteredStateProps {
  /** Such as: Nothing matches “waybil” in Staging. */
  title: ReactNode;
  /** The filters by name, and how many they hide. */
  children?: ReactNode;
  onClear: () => void;
}

/** Has some, but none pass the filters. */
export function FilteredState({ title, children, onClear }: FilteredStateProps) {
  return (
    <div role="status">
      <h2 className="text-16">{title}</h2>
      {children && <p className="pt-1 max-w-160 text-fg-2">{children}</p>}
      <div className="pt-3.5">
        <Button shortcut="esc" onClick={onClear}>
          Clear filters
        </Button>
      </div>
    </div>
  );
}

/** 403: which right is missing and who has it. No Retry, it would not help. */
export function ForbiddenState({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div role="alert" className="grid grid-cols-[auto_minmax(0,1fr)] gap-3.5">
      <Lock size={18} aria-hidden="true" className="mt-0.5 text-fg-3" />
      <div>
        <h2 className="text-16">{title}</h2>
        {children && <p className="pt-1 max-w-140 text-fg-2">{children}</p>}
      </div>
    </div>
  );
}

/** Part of a region failed; the rest is shown, with "–" where something is missing. */
export function PartialNotice({
  children,
  onRetry,
  retrying,
}: {
  children: ReactNode;
  onRetry?: (() => void) | undefined;
  retrying?: boolean | undefined;
}) {
  return (
    <Notice
      tone="warn"
      role="status"
      action={
        onRetry && (
          <Button size="sm" variant="quiet" pending={retrying} onClick={onRetry}>
            Retry
          </Button>
        )
      }
    >
      {children}
    </Notice>
  );
}

/** The 2 px line over data that is being read again; the data itself stays as it is. Keeps its height when idle. */
export function ProgressLine({ active, className }: { active: boolean; className?: string | undefined }) {
  return (
    <div aria-hidden="true" className={cx("h-0.5 overflow-hidden", active && "bg-line", className)}>
      {active && <div className="h-full w-[38%] bg-accent anim-pass" />}
    </div>
  );
}
