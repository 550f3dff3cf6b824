import type { CreateDestinationBody, DestinationRecord, UpdateDestinationBody } from "#contract/destinations.ts";
import { configMembers } from "#contract/destination-kinds.ts";
import type { ConfigMember, DestinationType } from "#contract/destination-kinds.ts";
import { changedMembers } from "../../form/changes.ts";
import { secretDraft, secretMember } from "../../form/secret.ts";
import type { SecretDraft } from "../../form/secret.ts";
import type { RulesDraft } from "./rules.ts";

/** One extra header. What is stored of it is known only by its mask, which stays in the record. */
export interface HeaderDraft {
  readonly name: string;
  readonly value: SecretDraft;
}
export type MemberDraft = string | SecretDraft | readonly HeaderDraft[];

/** What the editor holds. `enabled` is no part of it: the switch acts at once. */
export interface Draft {
  readonly name: string;
  readonly config: Readonly<Record<string, MemberDraft>>;
  readonly privacy_mode: boolean;
  readonly api_key_hashes: readonly string[] | null;
  readonly filter_rules: RulesDraft | null;
  /** null while what is typed is no rate */
  readonly sampling_rate: number | null;
  readonly broadcast_generation_cost: boolean;
  readonly broadcast_generation_identity: boolean;
  readonly broadcast_generation_request_context: boolean;
}

const settings = [
  "privacy_mode",
  "api_key_hashes",
  "filter_rules",
  "sampling_rate",
  "broadcast_generation_cost",
  "broadcast_generation_identity",
  "broadcast_generation_request_context",
] as const;

/** Where a new destination begins: defaults filled in, and nothing that people typed leaves before somebody says so. */
export function newDraft(type: DestinationType): Draft {
  const members = Object.entries(configMembers(type));
  return {
    name: "",
    config: Object.fromEntries(members.map(([name, member]) => [name, memberDraft(member, member.default)])),
    privacy_mode: true,
    api_key_hashes: null,
    filter_rules: null,
    sampling_rate: 1,
    broadcast_generation_cost: true,
    broadcast_generation_identity: true,
    broadcast_generation_request_context: false,
  };
}

/** A stored destination as the form begins with it: every secret is kept, and none is in the form. */
export function draftOf(record: DestinationRecord): Draft {
  const members = Object.entries(configMembers(record.type));
  return {
    name: record.name,
    config: Object.fromEntries(members.map(([name, member]) => [name, memberDraft(member, record.config[name])])),
    privacy_mode: record.privacy_mode,
    api_key_hashes: record.api_key_hashes,
    filter_rules: record.filter_rules as RulesDraft | null,
    sampling_rate: record.sampling_rate,
    broadcast_generation_cost: record.broadcast_generation_cost,
    broadcast_generation_identity: record.broadcast_generation_identity,
    broadcast_generation_request_context: record.broadcast_generation_request_context,
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
      typeof value === "string"
        ? value.trim() || null
        : isHeaders(value)
          ? (headersSent(value, base) ?? null)
          : secretMember(value);
    if (sent !== undefined && (sent !== null || (base !== null && name in base.config))) config[name] = sent;
  }
  return config;
}

type Settings = Omit<CreateDestinationBody, "name" | "type" | "config" | "workspace_id" | "enabled" | "regions">;

/** What is beside the config, as it travels. */
export function unsavedSettings(draft: Draft): Settings {
  return wireSettings(draft);
}

/** The body that changes a stored destination into the draft: only what differs, null for what is cleared. */
export function updateBody(base: DestinationRecord, draft: Draft): UpdateDestinationBody {
  const before = draftOf(base);
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(draft.config)) {
    if (typeof value === "string") {
      if (value.trim() !== before.config[name]) config[name] = value.trim() || null;
    } else if (isHeaders(value)) {
      if (headersChanged(before.config[name], value)) config[name] = headersSent(value, base) ?? null;
    } else {
      const sent = secretMember(value);
      if (sent !== undefined) config[name] = sent;
    }
  }
  const own = changedMembers(
    { name: before.name, ...wireSettings(before) },
    { name: draft.name.trim(), ...wireSettings(draft) },
  );
  return { ...own, ...(Object.keys(config).length > 0 && { config }) };
}

function wireSettings(draft: Draft): Record<string, unknown> {
  return Object.fromEntries(settings.map((name) => [name, draft[name]]));
}

export function isHeaders(value: MemberDraft): value is readonly HeaderDraft[] {
  return Array.isArray(value);
}

function headersChanged(before: MemberDraft | undefined, after: readonly HeaderDraft[]): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

/**
 * The map as it travels. The API takes extra headers as a whole, so one that stays beside one that changes is named with
 * its mask, which the gateway reads as "as it was"; there is no other way to keep it. undefined: none are left.
 */
function headersSent(
  headers: readonly HeaderDraft[],
  base: DestinationRecord | null,
): Record<string, string> | undefined {
  const left = headers.filter(({ value }) => value.state !== "removed");
  if (left.length === 0) return undefined;
  return Object.fromEntries(
    left.map(({ name, value }) => [
      name.trim(),
      value.state === "kept" ? (maskOf(base, "headers", name) ?? "") : value.text.trim(),
    ]),
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
