import { cx } from "./cx.ts";

/** Two letters in the place of a brand's logo. */
export function Plate({ name, off }: { name: string; off?: boolean }) {
  const letters = name.replace(/[^\p{Letter}\p{Number}]/gu, "").slice(0, 2);
  return (
    <span
      aria-hidden="true"
      className={cx(
        "mono grid size-7 shrink-0 place-items-center rounded-2 border border-line-2 bg-bg-0 text-12 font-semibold",
        off && "font-normal text-fg-3",
      )}
    >
      {letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase()}
    </span>
  );
}
