import { useCallback, useState } from "react";
import { cx } from "../../ui/cx.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { MarkShape } from "./GroupShape.tsx";
import type { Legend } from "./map-paint.ts";
import { watchSize } from "./watch-size.ts";

const steps = Array.from({ length: 7 }, (_, index) => `var(--seq-${index + 1})`);

/** What the map's colors mean, on one line; what finds no room there is a press away. */
export function MapLegend({ legend }: { legend: Legend }) {
  if (legend.kind === "marks") return legend.entries.length === 0 ? null : <Marks entries={legend.entries} />;
  return (
    <p className="flex grow items-center gap-1.5 text-12 text-fg-2 tabular-nums">
      {legend.from}
      <span className="sr-only"> to </span>
      <span aria-hidden="true" className="flex gap-px">
        {steps.map((step) => (
          <span key={step} style={{ background: step }} className="h-3 w-3.5" />
        ))}
      </span>
      {legend.to}
    </p>
  );
}

function Marks({ entries }: { entries: Extract<Legend, { kind: "marks" }>["entries"] }) {
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(0);
  const counted = useCallback((list: HTMLUListElement) => {
    const count = () => {
      const items = [...list.children] as HTMLElement[];
      setHidden(items.filter((item) => item.offsetTop > (items[0]?.offsetTop ?? 0)).length);
    };
    return watchSize(list, count);
  }, []);
  return (
    <>
      <ul
        // other entries may take more room in a list of the same size
        key={entries.map(({ label }) => label).join("\n")}
        ref={counted}
        aria-label="Legend"
        className={cx(
          "flex min-w-0 grow basis-0 flex-wrap gap-x-3.5 @max-[720px]/results:order-1 @max-[720px]/results:basis-4/5",
          !open && "h-6 overflow-hidden",
          open && "max-h-40 overflow-y-auto",
        )}
      >
        {entries.map(({ mark, label }) => (
          <li key={`${mark.colour} ${mark.shape} ${label}`} className="flex h-6 max-w-44 items-center gap-1.5 text-12">
            <MarkShape mark={mark} /> <span className="truncate">{label}</span>
          </li>
        ))}
      </ul>
      {(hidden > 0 || open) && (
        <LinkButton
          className="shrink-0 text-12 @max-[720px]/results:order-1"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? "Fewer" : `${hidden} more`}
        </LinkButton>
      )}
    </>
  );
}
