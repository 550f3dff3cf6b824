import { useState, type ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import type { NoticeTone } from "../../ui/Notice.tsx";
import { StatusShape } from "../../ui/Status.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";

interface NoticeLineProps {
  tone: NoticeTone;
  /** how it is announced; undefined: it is not, or a part of it is */
  announced?: "alert" | "status" | undefined;
  /** buttons that fit beside the sentence, where there is room */
  action?: ReactNode;
  /** all of it; null: the line says everything */
  details: ReactNode;
  children: ReactNode;
}

const tones = { warn: "border-warn-fg bg-warn-bg", bad: "border-bad-fg bg-bad-bg", ok: "border-ok-fg bg-ok-bg" };
const shapes = { warn: "warning", bad: "trouble", ok: "running" } as const;

/**
 * A notice on one line, whose place is kept while there is none: what lies under it stays where it is when it comes. Where
 * there is room, that is the rest of the line on how far the run is. All of it is a press away.
 */
export function NoticeLine({ tone, announced, action, details, children }: NoticeLineProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div
        data-quiet
        className={cx(
          "flex h-10 shrink-0 @min-[1000px]/results:h-9 items-center gap-2.5 border-b border-b-line border-l-3 pr-(--pane-x) pl-3 text-12",
          tones[tone],
        )}
      >
        <StatusShape kind={shapes[tone]} />
        <p role={announced} className="min-w-0 grow truncate">
          {children}
        </p>
        <span className="flex shrink-0 gap-2 @max-[560px]/results:hidden">{action}</span>
        {details !== null && (
          <LinkButton className="shrink-0" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Less" : "Details"}
          </LinkButton>
        )}
      </div>
      {open && details}
    </>
  );
}

/** The same place without a notice. */
export const QuietLine = ({ children }: { children: ReactNode }) => (
  <p
    data-quiet
    className="flex h-10 shrink-0 items-center gap-x-5 @min-[1000px]/results:h-9 overflow-hidden border-b border-line px-(--pane-x) text-12 whitespace-nowrap text-fg-3 tabular-nums"
  >
    {children}
  </p>
);
