import { cx } from "./cx.ts";
import { plateLetters } from "./plate-letters.ts";

/** Two letters in the place of a brand's logo: the first, and the next capital, which tells OpenAI from OpenRouter. */
export function Plate({ name, off }: { name: string; off?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "mono grid size-7 shrink-0 place-items-center rounded-2 border border-line-2 bg-bg-0 text-12 font-semibold",
        off && "font-normal text-fg-3",
      )}
    >
      {plateLetters(name)}
    </span>
  );
}
