import { createBurstLog, type Log } from "../domain/burst-log.ts";
import type { Claimed } from "../domain/destinations/cursor-store.ts";
import type { DeliveryReport } from "./sender.ts";

const reportWords = {
  failing: ["warn", "a destination fails"],
  recovered: ["info", "a destination accepts events again"],
  dead: ["warn", "an event was given up and is a dead letter"],
} as const;

/**
 * Counts the destinations that fail, and logs what changes at a destination.
 * @param failing called with the number of failing destinations
 */
export function createFailingDestinations(log: Log, failing: (count: number) => void) {
  const bursts = createBurstLog(log);
  const ids = new Set<string>();
  /** destinations whose settings cannot be used, with the version that cannot */
  const unusable = new Map<string, number>();

  function set(id: string, fails: boolean): void {
    unusable.delete(id);
    if (fails) ids.add(id);
    else ids.delete(id);
    failing(ids.size);
  }

  return {
    set,
    /** Forgets the destinations that this process does not forward to. */
    retain(own: ReadonlySet<string>): void {
      for (const id of ids) if (!own.has(id)) set(id, false);
    },
    report({ type, destination, ...details }: DeliveryReport): void {
      const [level, message] = reportWords[type];
      bursts.tell(level, `${type} ${destination}`, message, { destination, ...details });
      if (type !== "dead") set(destination, type === "failing");
    },
    setUnusable({ id: destination, version }: Claimed, reason: string): void {
      set(destination, true);
      unusable.set(destination, version);
      bursts.tell("error", `unusable ${destination}`, "a destination cannot be forwarded to", { destination, reason });
    },
    isUnusable: ({ id, version }: Claimed): boolean => unusable.get(id) === version,
    close: bursts.close,
  };
}
