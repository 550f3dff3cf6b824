/** A turning arc for inside buttons; anywhere else loading is drawn as a Skeleton. */
export function Spinner({ size = 14 }: { size?: number | undefined }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
      className="anim-turn"
    >
      <path d="M14 8a6 6 0 1 1-2-4.5" />
    </svg>
  );
}
