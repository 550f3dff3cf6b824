import type { DestinationSettings, SettingColumns } from "../../storage/destination-tables.ts";
import { given, pick } from "../patch.ts";
import { broadcastMembers, type PipelineSettings } from "./pipeline.ts";

/**
 * A destination's settings apart from its connection, each with its default. Creation, PATCH, record, audit row,
 * delivery and preview are all derived from this table.
 */
export const destinationDefaults: DestinationSettings = {
  name: "",
  enabled: true,
  api_key_hashes: null,
  filter_rules: null,
  privacy_mode: false,
  sampling_rate: 1,
  broadcast_generation_cost: false,
  broadcast_generation_identity: false,
  broadcast_generation_request_context: false,
  regions: ["global"],
};

const names = Object.keys(destinationDefaults) as (keyof DestinationSettings)[];
const columnOf = (name: string) => name.replace("broadcast_generation_", "broadcast_") as keyof SettingColumns;

export const settingColumns = names.map(columnOf);

/** The settings of a row. */
export function storedSettings(row: SettingColumns): DestinationSettings {
  return Object.fromEntries(names.map((name) => [name, row[columnOf(name)]])) as DestinationSettings;
}

/** Settings as written to a row. */
export function toColumns(settings: DestinationSettings): Omit<SettingColumns, "filter_rules"> & {
  filter_rules: string | null;
} {
  const { filter_rules } = settings;
  const columns = Object.fromEntries(names.map((name) => [columnOf(name), settings[name]])) as SettingColumns;
  return { ...columns, filter_rules: filter_rules && JSON.stringify(filter_rules) };
}

type Sent = { readonly [K in keyof DestinationSettings]?: DestinationSettings[K] | undefined };

/** The settings of a new, or of an unsaved, destination: absent ones have their default. */
export function newSettings(sent: Sent): DestinationSettings {
  return { ...destinationDefaults, ...given(pick(sent, destinationDefaults)) };
}

/** The settings that decide on a destination's events. */
export function pipelineSettings(settings: DestinationSettings): PipelineSettings {
  return {
    enabled: settings.enabled,
    apiKeyHashes: settings.api_key_hashes,
    filterRules: settings.filter_rules,
    samplingRate: settings.sampling_rate,
    privacyMode: settings.privacy_mode,
    broadcast: pick(settings, broadcastMembers),
  };
}

/** The settings that decide on a destination's events, from its row. */
export const settingsOf = (row: SettingColumns): PipelineSettings => pipelineSettings(storedSettings(row));

/** Whether a rule reads the bodies, so that they must be loaded before it is decided. */
export function readsBodies({ filterRules }: Pick<PipelineSettings, "filterRules">): boolean {
  if (!filterRules || filterRules.enabled === false) return false;
  return filterRules.groups.some(({ rules }) => rules.some(({ field }) => field === "input" || field === "output"));
}
