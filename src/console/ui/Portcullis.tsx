/** The mark as a light: bars down while it waits, up and green once. */
export function Portcullis({ open, size = 26 }: { open: boolean; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" fill="none" aria-hidden="true" className="shrink-0">
      <path d="M4 23V13a9 9 0 0 1 18 0v10" strokeWidth="1.5" className={open ? "stroke-ok-fg" : "stroke-line-field"} />
      <path
        d={open ? "M9 8v5M13 6v7M17 8v5" : "M9 9v8M13 8v10M17 9v8"}
        strokeWidth="2"
        className={open ? "stroke-ok-fg anim-gate-up" : "stroke-tick"}
      />
    </svg>
  );
}
