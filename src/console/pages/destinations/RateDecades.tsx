import { cx } from "../../ui/cx.ts";

const decades = ["0.01%", "0.1%", "1%", "10%", "100%"];

/** The scale of sampling rates in words, under the slider or the strip of sessions. For the eyes only. */
export function RateDecades({ stop }: { stop?: number }) {
  return (
    <div aria-hidden="true" className="mx-3 flex justify-between text-11 text-fg-3 tabular-nums">
      {decades.map((decade, index) => (
        <span key={decade} className="flex w-0 justify-center">
          <span
            className={cx(
              "whitespace-nowrap",
              index * 10 === stop && "text-fg-1",
              index === 0 && "translate-x-[calc(50%-12px)]",
              index === 4 && "translate-x-[calc(12px-50%)]",
            )}
          >
            {decade}
          </span>
        </span>
      ))}
    </div>
  );
}
