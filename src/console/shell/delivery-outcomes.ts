import type { DeliveryOutcome } from "#contract/forwarding.ts";
import type { StatusKind } from "../ui/Status.tsx";

interface OutcomeWords {
  kind: StatusKind;
  word: string;
  /** of the destination's editor: the settings that decided */
  section?: string;
}

/** What happened to a call's event at a destination, as a shape and words. */
export const deliveryOutcomes: Readonly<Record<DeliveryOutcome, OutcomeWords>> = {
  sent: { kind: "running", word: "Sent" },
  waiting: { kind: "warning", word: "Waiting" },
  failed: { kind: "warning", word: "Failed so far", section: "connection" },
  dead: { kind: "trouble", word: "Dead letter" },
  filtered: { kind: "never", word: "Stopped by a rule", section: "rules" },
  sampled_out: { kind: "never", word: "Sampled out", section: "sampling" },
  not_in_allowlist: { kind: "never", word: "From another key", section: "keys" },
  disabled: { kind: "off", word: "Switched off" },
  before_destination: { kind: "never", word: "Older than the destination" },
};
