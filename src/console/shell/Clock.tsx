import { Clock as ClockIcon } from "lucide-react";
import { useNow } from "../api/clock.ts";

/** The gateway's clock: UTC first, because limits reset by it, then the time here. */
export function Clock() {
  const now = useNow(5_000);
  const utc = now.toISOString().slice(11, 16);
  const here = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(now);
  return (
    <time
      dateTime={now.toISOString()}
      className="flex items-center gap-2 text-13 whitespace-nowrap text-fg-2 tabular-nums"
    >
      <ClockIcon size={13} aria-hidden="true" className="max-md:hidden" />
      <span>
        {utc} <span className="font-semibold">UTC</span>
        {here !== utc && <span className="text-fg-3 max-lg:hidden"> · {here} here</span>}
      </span>
    </time>
  );
}
