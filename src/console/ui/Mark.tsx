export interface MarkProps {
  /** Pixels; the mark is drawn on a 16 px grid. */
  size?: number | undefined;
  className?: string | undefined;
}

/** The portcullis: an arch in ink, three bars in the accent. Decoration, so the name is next to it as text. */
export function Mark({ size = 16, className }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" className={className}>
      <path fill="currentColor" d="M1 15V8a7 7 0 0 1 14 0v7h-2V8A5 5 0 0 0 3 8v7z" />
      <path
        className="fill-accent forced-colors:fill-[CanvasText]"
        d="M4 5.2 6 3.9V10l-1 1.5L4 10zM7 3.4h2V10l-1 1.5L7 10zM10 3.9l2 1.3V10l-1 1.5L10 10z"
      />
    </svg>
  );
}
