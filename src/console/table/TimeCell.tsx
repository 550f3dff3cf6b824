import { minuteMs } from "#contract/time.ts";
import { useNow } from "../api/clock.ts";
import { usePreference } from "../preferences.ts";
import { Time, type TimeProps } from "../ui/Time.tsx";

/** A time in a table, in the zone that a person chose for tables. */
export function TimeCell(props: Omit<TimeProps, "zone" | "now">) {
  return <Time {...props} zone={usePreference("zone")} now={useNow(minuteMs)} />;
}
