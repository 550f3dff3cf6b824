import type { ReportGroup, ReportedGroup } from "#contract/usage-report.ts";

/** What a grouping is called in a head, and how it is asked for. */
export const groupLabels: Readonly<Record<ReportGroup, { head: string; choice: string }>> = {
  key: { head: "Key", choice: "key" },
  model: { head: "Model", choice: "model" },
  provider: { head: "Provider", choice: "provider" },
  workspace: { head: "Workspace", choice: "workspace" },
  creator: { head: "Creator of the key", choice: "creator of the key" },
  session: { head: "Session", choice: "session" },
  app: { head: "App", choice: "app" },
};

/** The text of a group: its name, or its id where it has none; "No key" where the calls have none. */
export function groupText(by: ReportGroup, { id, name }: ReportedGroup): string {
  return name ?? id ?? `No ${by}`;
}

/** What several groups are called, so that their secrets' ends have to tell them apart. */
export function repeatedNames(groups: readonly (ReportedGroup | undefined)[]): ReadonlySet<string> {
  const seen = new Map<string, string>();
  const repeated = new Set<string>();
  for (const group of groups) {
    if (group?.id == null || group.name === null) continue;
    if ((seen.get(group.name) ?? group.id) !== group.id) repeated.add(group.name);
    seen.set(group.name, group.id);
  }
  return repeated;
}
