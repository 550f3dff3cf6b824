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
  /** One small button. */
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
      className={cx("flex items-center gap-2 min-h-10 px-3 py-1.5 text-12 border-l-3", tones[tone].box, className)}
    >
      <StatusShape kind={tones[tone].shape} />
      <div className="grow min-w-0">{children}</div>
      {action}
    </div>
  );
}
