import type { KeyRecord } from "#contract/keys.ts";
import { cx } from "../../ui/cx.ts";
import { tip } from "../../ui/Tooltip.tsx";
import { lastsWords } from "./lasts-words.ts";

/** The cell of a key: a day, or why there is none. */
export function LastsUntil({ of: key, now }: { of: KeyRecord; now: Date }) {
  const { text, note, why, soon } = lastsWords(key, key.limit_resets_at, now);
  return (
    // the reason must be in reach without a pointer
    <span
      tabIndex={0}
      className={cx("inline-grid rounded-1 leading-4", soon ? "text-warn-fg" : "text-fg-2")}
      {...tip(why)}
    >
      <span className="tabular-nums">{text}</span>
      {note !== null && <span className="text-11 group-data-[density=compact]/table:hidden">{note}</span>}
    </span>
  );
}
