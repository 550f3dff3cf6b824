import type { DestinationRecord } from "#contract/destinations.ts";
import { isTenfold } from "./changes.ts";
import type { Draft } from "./draft.ts";
import { percentText } from "./sampling.ts";

export interface SaveQuestion {
  title: string;
  text: string;
  confirm: string;
}

/** What is asked before saving: that bodies start to leave, or that much more or much less does; null where nothing is. */
export function questionOf(base: DestinationRecord | null, draft: Draft): SaveQuestion | null {
  if (!draft.privacy_mode && (base === null || base.privacy_mode)) {
    const from = draft.api_key_hashes === null ? "every key, future ones too" : keys(draft.api_key_hashes.length);
    return {
      title: "Send prompts and responses",
      text: `Everything that people type and get starts leaving the gateway, from ${from}.`,
      confirm: "Send bodies",
    };
  }
  const rate = draft.sampling_rate;
  if (base && rate !== null && isTenfold(base.sampling_rate, rate)) {
    const more = rate > base.sampling_rate;
    return {
      title: `Send ${more ? "more than ten times as much" : "less than a tenth"}`,
      text: `Sampling goes from ${percentText(base.sampling_rate)}% to ${percentText(rate)}%.`,
      confirm: "Save it",
    };
  }
  return null;
}

const keys = (count: number) => (count === 1 ? "one key" : `${count} keys`);
