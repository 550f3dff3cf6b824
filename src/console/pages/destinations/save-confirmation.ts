import type { DestinationRecord } from "#contract/destinations.ts";
import { isTenfold } from "./changes.ts";
import type { Draft } from "./draft.ts";
import { percentText } from "./sampling.ts";

export interface SaveConfirmation {
  title: string;
  text: string;
  confirm: string;
}

/** What is asked before saving: that bodies start to leave, or that much more or much less does; null where nothing is. */
export function saveConfirmation(base: DestinationRecord | null, draft: Draft): SaveConfirmation | null {
  const questions = [aboutBodies(base, draft), aboutSampling(base, draft)].filter((one) => one !== null);
  const [first] = questions;
  return first === undefined ? null : { ...first, text: questions.map(({ text }) => text).join(" ") };
}

function aboutBodies(base: DestinationRecord | null, draft: Draft): SaveConfirmation | null {
  if (draft.privacy_mode || (base !== null && !base.privacy_mode)) return null;
  const from = draft.api_key_hashes === null ? "every key, including future ones" : keys(draft.api_key_hashes.length);
  return {
    title: "Send prompts and responses",
    text: `Everything people type and receive starts leaving the gateway, from ${from}.`,
    confirm: "Send bodies",
  };
}

function aboutSampling(base: DestinationRecord | null, { sampling_rate: rate }: Draft): SaveConfirmation | null {
  if (base === null || rate === null || !isTenfold(base.sampling_rate, rate)) return null;
  return {
    title: `Send ${rate > base.sampling_rate ? "more than ten times as much" : "less than a tenth"}`,
    text: `Sampling goes from ${percentText(base.sampling_rate)}% to ${percentText(rate)}%.`,
    confirm: "Save it",
  };
}

const keys = (count: number) => (count === 1 ? "one key" : `${count} keys`);
