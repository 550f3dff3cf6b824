const steps = 27;

/** The scale of similarities as bars, from the least to the most that is shown. */
export function SequenceScale({ from, to }: { from: number; to: number }) {
  const colour = (share: number) => {
    const at = share * 7;
    const low = Math.min(6, Math.floor(at));
    return `color-mix(in oklab, var(--seq-${low + 1}) ${Math.round((at - low) * 100)}%, var(--seq-${low}))`;
  };
  return (
    <span className="inline-flex items-center gap-1.5 text-12 text-fg-2 tabular-nums">
      {from.toFixed(2)}
      <span className="sr-only">to</span>
      <svg width={steps * 4} height="12" aria-hidden="true">
        {Array.from({ length: steps }, (_, index) => (
          <rect key={index} x={index * 4} width="2.5" height="12" style={{ fill: colour(index / (steps - 1)) }} />
        ))}
      </svg>
      {to.toFixed(2)}
      <span className="sr-only">, the diagonal left out</span>
    </span>
  );
}
