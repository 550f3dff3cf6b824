import { configMembers, type DestinationType } from "#contract/destination-kinds.ts";
import { settingOf } from "./settings.ts";

/** What the form calls a member of the API, by its path: `config.baseUrl`, `filter_rules.groups.0.rules.1.value`. */
export function memberTitle(path: string, type: DestinationType): string {
  const [member = "", name = "", header] = path.split(".");
  if (member === "config" && header !== undefined) return `Extra header ${Number(header) + 1}`;
  if (member === "config") return configMembers(type)[name]?.title ?? path;
  const [, group, rule] = /^filter_rules\.groups\.(\d+)\.rules\.(\d+)/.exec(path) ?? [];
  if (rule !== undefined) return `Rule ${Number(rule) + 1} of group ${Number(group) + 1}`;
  return settingOf(path)?.title ?? path;
}
