import { hostOf } from "#contract/destination-check.ts";
import { configMembers, type DestinationType } from "#contract/destination-kinds.ts";
import { listed, type Change, type Known } from "./changes.ts";
import type { Draft } from "./draft.ts";
import { kindTitle } from "./kinds.ts";
import { rulesSentence, textOf } from "./rule-labels.ts";
import { oneIn, percentText, roughEvents, seldom } from "./sampling.ts";
import { sentSettings, settings } from "./settings.ts";

/** What a new destination will get, in the order of the form: where to, which calls, what of them, and how many. */
export function whatIsAdded(type: DestinationType, draft: Draft, known: Known): Change[] {
  const { api_key_hashes: hashes, filter_rules: rules, sampling_rate: rate, privacy_mode: isPrivate } = draft;
  const host = hostOfDraft(type, draft);
  const also = sentSettings.filter(({ name }) => draft[name]).map(({ name }) => settings[name].title.toLowerCase());
  const events = rate === null || known.passing === null ? null : known.passing * rate;
  return [
    { path: "config", text: `Events go to ${kindTitle(type)}${host === "" ? "" : ` at ${host}`}` },
    {
      path: "privacy_mode",
      text: isPrivate ? "Metadata only: prompts and responses stay in the gateway" : "Prompts and responses are sent",
      grave: !isPrivate,
    },
    ...(also.length > 0 ? [{ path: "privacy_mode", text: `Also sent: ${also.join(", ")}` }] : []),
    { path: "api_key_hashes", text: fromKeys(hashes, known.keyName) },
    { path: "filter_rules", text: textOf(rulesSentence(rules)).replace(/\.$/, "") },
    ...(rate === null ? [] : [{ path: "sampling_rate", text: ofSessions(rate) }]),
    ...(events === null ? [] : [{ path: "sampling_rate", text: `By the last 7 days: ${howMany(events)}` }]),
  ];
}

function howMany(events: number): string {
  if (events === 0) return "no event, as none of the calls passes";
  return events < 1 ? seldom(events) : `about ${roughEvents(events)} a day`;
}

function fromKeys(hashes: Draft["api_key_hashes"], keyName: Known["keyName"]): string {
  if (hashes === null) return "From all keys of the workspace, including future ones";
  return `From ${hashes.length === 1 ? "1 key" : `${hashes.length} keys`}: ${listed(hashes.map(keyName))}`;
}

function ofSessions(rate: number): string {
  return rate === 1 ? "Every session, whole" : `${percentText(rate)}% of sessions, each whole: ${oneIn(rate)}`;
}

/** Where it leads, as the form has it now. */
function hostOfDraft(type: DestinationType, { config }: Draft): string {
  const [name, member] = Object.entries(configMembers(type)).find(([, { addressesHost }]) => addressesHost) ?? [];
  const typed = name === undefined ? "" : config[name];
  const text = typeof typed === "string" ? typed.trim() : "";
  return hostOf(text === "" ? (member?.default ?? "") : text);
}
