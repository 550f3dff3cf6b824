import { formatDayTime } from "../../format.ts";

/** `18 Feb 2027 23:59 UTC` */
export function utcMinute(at: Date): string {
  return `${formatDayTime(at, "UTC")} UTC`;
}
