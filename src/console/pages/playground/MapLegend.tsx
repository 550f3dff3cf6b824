import { useEffect, useRef, useState } from "react";
import { cx } from "../../ui/cx.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { MarkShape } from "./GroupShape.tsx";
import type { Legend } from "./map-paint.ts";

const steps = Array.from({ length: 7 }, (_, index) => `var(--seq-${index + 1})`);

/** What the map's colours mean, on one line; what finds no room there is a press away. */
export function MapLegend({ legend }: { legend: Legend }) {
  if (legend.kind === "marks") return <Marks entries={legend.entries} />;
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
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const count = () => {
      const items = [...element.children] as HTMLElement[];
      setHidden(items.filter((item) => item.offsetTop > (items[0]?.offsetTop ?? 0)).length);
    };
    count();
    const watch = new ResizeObserver(count);
    watch.observe(element);
    return () => watch.disconnect();
  }, [entries]);
  return (
    <>
      <ul
        ref={list}
        aria-label="Legend"
        className={cx(
          "flex min-w-0 grow basis-0 flex-wrap gap-x-3.5 max-md:order-1 max-md:basis-4/5",
          !open && "h-6 overflow-hidden",
          open && "max-h-40 overflow-y-auto",
        )}
      >
        {entries.map(({ mark, label }) => (
          <li key={label} className="flex h-6 max-w-40 items-center gap-1.5 text-12">
            <MarkShape mark={mark} /> <span className="truncate">{label}</span>
          </li>
        ))}
      </ul>
      {(hidden > 0 || open) && (
        <LinkButton className="shrink-0 text-12 max-md:order-1" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Fewer" : `${hidden} more`}
        </LinkButton>
      )}
    </>
  );
}
