import { type AppCallback, readAppCallback } from "#contract/app-callback.ts";
import type { Input } from "#contract/endpoint.ts";
import { authorizeApp } from "#contract/oauth.ts";
import { usdText } from "../../form/usd.ts";
import { dateToParts } from "../../form/utc-instant.ts";
import { createBody, emptyKeyForm, type KeyFormValues } from "./key-form.ts";

type Consent = Input<typeof authorizeApp>["body"];

/** What an app asks for, as the address of the consent page says it. */
export interface AppRequest {
  /** null: a person takes the code to the app */
  readonly callback: AppCallback | null;
  readonly challenge: Pick<Consent, "callback_url" | "code_challenge" | "code_challenge_method">;
  /** what the form begins with */
  readonly values: KeyFormValues;
  /** the workspace that the app asks for */
  readonly workspaceId: string | null;
}

/** Where an app asks for no limit: enough to begin with, and not to be surprised by. */
const suggestedLimitUsd = 10;
const withoutName = "OAuth app";
const members = [
  "callback_url",
  "code_challenge",
  "code_challenge_method",
  "limit",
  "usage_limit_type",
  "key_label",
  "expires_at",
  "workspace_id",
] as const;

/** What the address asks for, or what is wrong with it: then nobody is asked, and nothing is sent anywhere. */
export function readAppRequest(search: string, now: Date): AppRequest | { readonly problem: string } {
  const given = new URLSearchParams(search);
  const twice = members.find((name) => given.getAll(name).length > 1);
  if (twice !== undefined) return { problem: `${twice} is there twice` };
  const read = (name: (typeof members)[number]) => given.get(name) ?? undefined;
  const url = read("callback_url");
  const callback = url === undefined ? null : readAppCallback(url);
  if (callback !== null && "problem" in callback) return { problem: `callback_url ${callback.problem}` };
  const challenge = {
    callback_url: url,
    code_challenge: read("code_challenge"),
    code_challenge_method: read("code_challenge_method"),
  };
  const limit = read("limit");
  const body = {
    ...challenge,
    name: read("key_label") ?? callback?.app.slice(0, 100) ?? withoutName,
    limit: limit === undefined ? suggestedLimitUsd : limit.trim() === "" ? Number.NaN : Number(limit),
    limit_reset: read("usage_limit_type") ?? null,
    expires_at: read("expires_at") ?? null,
    workspace_id: read("workspace_id") ?? "00000000-0000-4000-8000-000000000000",
  };
  const parsed = authorizeApp.body.safeParse(body);
  const [wrong] = parsed.error?.issues ?? [];
  if (wrong !== undefined) return { problem: `${asAsked(String(wrong.path[0] ?? "it"))} ${wrong.message}` };
  const expiresAt = body.expires_at === null ? null : new Date(body.expires_at);
  if (expiresAt !== null && expiresAt <= now) return { problem: "expires_at must be in the future" };
  return {
    callback,
    challenge: challenge as AppRequest["challenge"],
    workspaceId: read("workspace_id") ?? null,
    values: {
      ...emptyKeyForm(""),
      name: body.name,
      limited: "yes",
      limit: usdText(body.limit),
      reset: parsed.data?.limit_reset ?? "none",
      ...(expiresAt !== null && { expires: "at", expiresAt: dateToParts(expiresAt) }),
    },
  };
}

/** A member of the consent as the page's address names it. */
function asAsked(member: string): string {
  return { name: "key_label", limit_reset: "usage_limit_type" }[member] ?? member;
}

/** What is agreed to. Call it with values that have no problems. */
export function consentBody({ challenge }: AppRequest, values: KeyFormValues): Consent {
  const { name, limit = null, limit_reset = null, expires_at = null, workspace_id = "" } = createBody(values);
  return { ...challenge, name, limit, limit_reset, expires_at, workspace_id };
}
