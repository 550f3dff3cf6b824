import type { CreateDestinationBody, DestinationRecord, UpdateDestinationBody } from "#contract/destinations.ts";
import { configMembers, type ConfigMember, type DestinationType } from "#contract/destination-kinds.ts";
import { changedMembers } from "../../form/changes.ts";
import { secretDraft, secretMember, type SecretDraft } from "../../form/secret.ts";
import { initialSettings, settingsIn, type SettingValues } from "./settings.ts";

/** One extra header. What is stored of it is known only by its mask, which stays in the record. */
export interface HeaderDraft {
  readonly name: string;
  readonly value: SecretDraft;
}
export type MemberDraft = string | SecretDraft | readonly HeaderDraft[];

/** What the editor holds. */
export interface Draft extends SettingValues {
  readonly config: Readonly<Record<string, MemberDraft>>;
}

/** A new destination's initial values: defaults filled in, and no message content is sent until somebody says so. */
export function newDraft(type: DestinationType): Draft {
  const members = Object.entries(configMembers(type));
  return {
    ...initialSettings,
    config: Object.fromEntries(members.map(([name, member]) => [name, memberDraft(member, member.default)])),
  };
}

/** A stored destination as the form begins with it: every secret is kept, and none is in the form. */
export function draftOf(record: DestinationRecord): Draft {
  const members = Object.entries(configMembers(record.type));
  return {
    ...settingsIn(record),
    config: Object.fromEntries(members.map(([name, member]) => [name, memberDraft(member, record.config[name])])),
  };
}

function memberDraft(member: ConfigMember, value: unknown): MemberDraft {
  if (member.form === "headers") return Object.keys(value ?? {}).map((name) => ({ name, value: secretDraft("kept") }));
  if (member.secret) return secretDraft(typeof value === "string" ? value : null);
  return typeof value === "string" ? value : "";
}

/** The mask of a stored secret; null where none is stored. Headers are named as the second part. */
export function maskOf(record: DestinationRecord | null, member: string, header?: string): string | null {
  const value = record?.config[member];
  const mask = header === undefined ? value : (value as Record<string, unknown> | undefined)?.[header];
  return typeof mask === "string" ? mask : null;
}

/** The body that creates a destination: what is empty is left out, so that the gateway's default applies. */
export function createBody(
  type: DestinationType,
  draft: Draft,
  workspaceId: string | undefined,
): CreateDestinationBody {
  return {
    name: draft.name.trim(),
    type,
    config: unsavedConfig(draft, null),
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    ...unsavedSettings(draft),
  };
}

/**
 * The config as a test or a preview takes it before it is saved: with a stored destination, what is left out is kept and
 * null removes; without one, there is nothing to remove.
 */
export function unsavedConfig(draft: Draft, base: DestinationRecord | null): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(draft.config)) {
    const sent =
      typeof value === "string" ? value.trim() || null : isHeaders(value) ? headersSent(value) : secretMember(value);
    if (sent !== undefined && (sent !== null || (base !== null && name in base.config))) config[name] = sent;
  }
  return config;
}

type Settings = Omit<CreateDestinationBody, "name" | "type" | "config" | "workspace_id" | "enabled" | "regions">;

/** Everything except the config, as it is sent. */
export function unsavedSettings(draft: Draft): Settings {
  const { name: _, ...settings } = settingsIn(draft);
  // what the form cannot send yet (no rate, an empty list) is refused before it is sent
  return settings as unknown as Settings;
}

/** The body that changes a stored destination into the draft: only what differs, null for what is cleared. */
export function updateBody(base: DestinationRecord, draft: Draft): UpdateDestinationBody {
  const before = draftOf(base);
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(draft.config)) {
    if (typeof value === "string") {
      if (value.trim() !== before.config[name]) config[name] = value.trim() || null;
    } else if (isHeaders(value)) {
      const sent = headersSent(value);
      if (sent !== undefined) config[name] = sent;
    } else {
      const sent = secretMember(value);
      if (sent !== undefined) config[name] = sent;
    }
  }
  const own = changedMembers(settingsIn(before), { ...settingsIn(draft), name: draft.name.trim() });
  return { ...(own as UpdateDestinationBody), ...(Object.keys(config).length > 0 && { config }) };
}

export function isHeaders(value: MemberDraft): value is readonly HeaderDraft[] {
  return Array.isArray(value);
}

/** The headers that change, null for one that is removed; those that are left out stay. undefined: none changes. */
function headersSent(headers: readonly HeaderDraft[]): Record<string, string | null> | undefined {
  const changed = headers.filter(({ value }) => value.state !== "kept");
  if (changed.length === 0) return undefined;
  return Object.fromEntries(
    changed.map(({ name, value }) => [name.trim(), value.state === "removed" ? null : value.text.trim()]),
  );
}

/** True where a secret was typed: it must not outlive its saving. */
export function holdsSecret(draft: Draft): boolean {
  return Object.values(draft.config).some((value) =>
    isHeaders(value) ? value.some((header) => isTyped(header.value)) : typeof value !== "string" && isTyped(value),
  );
}

const isTyped = ({ state, text }: SecretDraft): boolean => state === "typed" && text !== "";

/** The body that puts back what a save changed. Secrets and addresses cannot be put back, so null where one changed. */
export function undoBody(before: DestinationRecord, after: DestinationRecord): UpdateDestinationBody | null {
  if (JSON.stringify(before.config) !== JSON.stringify(after.config)) return null;
  const body = updateBody(after, draftOf(before));
  return Object.keys(body).length === 0 ? null : body;
}
