import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { StatusShape, type StatusKind } from "./Status.tsx";

export type NoticeTone = "warn" | "bad" | "ok";

const tones: Record<NoticeTone, { box: string; shape: StatusKind }> = {
  warn: { box: "bg-warn-bg border-warn-fg", shape: "warning" },
  bad: { box: "bg-bad-bg border-bad-fg", shape: "trouble" },
  ok: { box: "bg-ok-bg border-ok-fg", shape: "running" },
};

export interface NoticeProps {
  tone: NoticeTone;
  /** One or two small buttons. */
  action?: ReactNode;
  role?: "alert" | "status" | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A sentence with a bar at its left, inside the region it is about. */
export function Notice({ tone, action, role, className, children }: NoticeProps) {
  return (
    <div
      role={role}
      className={cx(
        "flex flex-wrap items-center shrink-0 gap-2 min-h-10 px-3 py-1.5 text-12 border-l-3",
        tones[tone].box,
        className,
      )}
    >
      <StatusShape kind={tones[tone].shape} />
      {/* where the buttons leave it less than this, they go below it */}
      <div className="grow basis-48 min-w-0 wrap-anywhere">{children}</div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}
