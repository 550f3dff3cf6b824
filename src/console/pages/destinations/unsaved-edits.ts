import * as z from "zod/mini";
import { configMembers, type DestinationType } from "#contract/destination-kinds.ts";
import type { Draft } from "./draft.ts";
import { settingNames, settings } from "./settings.ts";

/** The edits of a form that may outlive its page in the tab's storage. */
const Edits = z.partial(
  z.object({
    config: z.record(z.string(), z.string()),
    ...Object.fromEntries(settingNames.map((name) => [name, settings[name].kept])),
  }),
);

/**
 * What differs from where the form began, without anything that is or may hold a secret: no secret member, no extra
 * header, no address with a user, a password, a query, or a path with what may be a token.
 */
export function editsOf(type: DestinationType, draft: Draft, began: Draft): Record<string, unknown> {
  const { config, ...rest } = draft;
  const changed: [string, unknown][] = Object.entries(rest).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(began[name as keyof Draft]),
  );
  const members = configMembers(type);
  const texts = Object.entries(config).filter(
    ([name, value]) =>
      typeof value === "string" && !members[name]?.secret && value !== began.config[name] && !mayHoldSecret(value),
  );
  if (texts.length > 0) changed.push(["config", Object.fromEntries(texts)]);
  return Object.fromEntries(changed);
}

/** The draft with the edits over it; null where they are not ones of this form. */
export function withEdits(type: DestinationType, draft: Draft, edits: Record<string, unknown>): Draft | null {
  const read = z.safeParse(Edits, edits);
  if (!read.success) return null;
  const { config = {}, ...rest } = read.data;
  const members = configMembers(type);
  const texts = Object.entries(config).filter(([name]) => members[name] !== undefined && !members[name].secret);
  return Object.assign({ ...draft, config: { ...draft.config, ...Object.fromEntries(texts) } }, rest);
}

/** Tokens in the paths of webhooks have 20 characters and more. */
const mayHoldSecret = (text: string): boolean => /[?@]|^https?:\/\/[^/]*\/.*[\w-]{16}/i.test(text);
