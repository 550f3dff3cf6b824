import { cx } from "./cx.ts";

export type StatusKind = "running" | "warning" | "trouble" | "off" | "over" | "never" | "unknown";

const tones: Record<StatusKind, string> = {
  running: "text-ok-fg",
  warning: "text-warn-fg",
  trouble: "text-bad-fg",
  off: "text-fg-3",
  over: "text-fg-3",
  never: "text-fg-3",
  unknown: "text-fg-3",
};

const words: Record<StatusKind, string> = {
  running: "text-fg-1",
  warning: "text-warn-fg",
  trouble: "text-bad-fg",
  off: "text-fg-2",
  over: "text-fg-2",
  never: "text-fg-2",
  unknown: "text-fg-2",
};

/** One of the seven shapes, drawn in 10 px: each status can be told from the others without color. */
export function StatusShape({
  kind,
  size = 10,
  className,
}: {
  kind: StatusKind;
  size?: number | undefined;
  className?: string | undefined;
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 10 10"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      className={cx(className ?? tones[kind], "forced-colors:text-[CanvasText]")}
    >
      {kind === "running" && <circle cx="5" cy="5" r="3.75" fill="currentColor" stroke="none" />}
      {kind === "warning" && <path d="M5 .8 9.6 9H.4z" fill="currentColor" stroke="none" />}
      {kind === "trouble" && <path d="M1 1h8v8H1z" fill="currentColor" stroke="none" />}
      {kind === "off" && <circle cx="5" cy="5" r="3.5" strokeWidth="1.3" />}
      {kind === "over" && <path d="m1.5 1.5 7 7m0-7-7 7" strokeWidth="1.4" />}
      {kind === "never" && <path d="M1 5h8" strokeWidth="1.5" />}
      {kind === "unknown" && <circle cx="5" cy="5" r="3.5" strokeWidth="1.4" strokeDasharray="2.2 1.47" />}
    </svg>
  );
}

/** Shape and word; only warning and trouble color the word. */
export function Status({ kind, word, className }: { kind: StatusKind; word: string; className?: string | undefined }) {
  return (
    <span className={cx("inline-flex items-center gap-[7px] whitespace-nowrap", words[kind], className)}>
      <StatusShape kind={kind} />
      {word}
    </span>
  );
}
