import * as z from "zod/mini";
import type { RulesDraft } from "./rules.ts";
import type { SectionId } from "./sections.ts";

interface Setting<T> {
  /** what the form calls it */
  title: string;
  section: SectionId;
  /** what a new destination begins with */
  initial: T;
  /** what may outlive the page in the tab's storage */
  kept: z.ZodMiniType;
  /** for data that may be sent in addition to the metadata: its checkbox, and how a sentence begins that says so */
  sends?: { label: string; what: string };
}

const setting = <T>(one: Setting<T>) => one;

const sent = (title: string, initial: boolean, sends: NonNullable<Setting<boolean>["sends"]>) =>
  setting({ title, section: "privacy", initial, kept: z.boolean(), sends });

/**
 * What the editor sets of a destination apart from its connection, by the API's names and in the order of the form.
 * `enabled` is not among it: the switch acts at once.
 */
export const settings = {
  name: setting({ title: "Name", section: "basics", initial: "", kept: z.string() }),
  // message content is not sent until somebody says so
  privacy_mode: setting({ title: "Privacy", section: "privacy", initial: true, kept: z.boolean() }),
  api_key_hashes: setting<readonly string[] | null>({
    title: "Keys",
    section: "keys",
    initial: null,
    kept: z.nullable(z.array(z.string())),
  }),
  filter_rules: setting<RulesDraft | null>({
    title: "Rules",
    section: "rules",
    initial: null,
    kept: z.nullable(
      z.looseObject({ groups: z.array(z.looseObject({ rules: z.array(z.record(z.string(), z.unknown())) })) }),
    ),
  }),
  /** null while the typed text is not a rate */
  sampling_rate: setting<number | null>({
    title: "Sampling",
    section: "sampling",
    initial: 1,
    kept: z.nullable(z.number()),
  }),
  broadcast_generation_identity: sent("Who called", true, {
    label: "Who called: the key's name and hash",
    what: "Who called",
  }),
  broadcast_generation_cost: sent("Provider charges", true, {
    label: "What a provider charged for calls with a key of your own",
    what: "What a provider charges for calls with a key of your own",
  }),
  broadcast_generation_request_context: sent("Where the call came from", false, {
    label: "Where the call came from: referer, app title, user agent, request id",
    what: "Where the call came from",
  }),
};

export type SettingName = keyof typeof settings;
export type SettingValues = { readonly [K in SettingName]: (typeof settings)[K]["initial"] };

export const settingNames = Object.keys(settings) as SettingName[];

/** What is sent in addition to the metadata when its switch is on. */
export type SentName = {
  [K in SettingName]: (typeof settings)[K]["initial"] extends boolean ? K : never;
}[SettingName];
export const sentSettings = settingNames.flatMap((name) => {
  const { sends } = settings[name];
  return sends === undefined ? [] : [{ name: name as SentName, ...sends }];
});

/** Those of a record or a draft. */
export function settingsIn(from: { readonly [K in SettingName]: unknown }): SettingValues {
  return Object.fromEntries(settingNames.map((name) => [name, from[name]])) as unknown as SettingValues;
}

export const initialSettings = Object.fromEntries(
  settingNames.map((name) => [name, settings[name].initial]),
) as unknown as SettingValues;

/** The setting that a path of the API belongs to; undefined for one that the form does not have. */
export function settingOf(path: string): Setting<unknown> | undefined {
  const [member = ""] = path.split(".");
  return Object.hasOwn(settings, member) ? settings[member as SettingName] : undefined;
}

/** The section that a member of the API is edited in. */
export const sectionOf = (path: string): SectionId =>
  path.startsWith("config") ? "connection" : (settingOf(path)?.section ?? "privacy");
