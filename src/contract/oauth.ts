import * as z from "zod/mini";
import { readAppCallback, wrongChallenge, type GivenChallenge } from "./app-callback.ts";
import { endpoint, kilobytes } from "./endpoint.ts";
import { UsdAmount } from "./money.ts";
import { nameOf } from "./plain-name.ts";
import { Instant, LimitReset, UtcInstant } from "./time.ts";

/** How long a code can be exchanged. */
export const authCodeMs = 10 * 60_000;

/** The most keys that one API key may have made and that are not deleted. */
export const mostKeysOfKey = 100;

const CallbackUrl = z.string().check((context) => {
  const read = readAppCallback(context.value);
  if (!("problem" in read)) return;
  context.issues.push({ code: "custom", input: context.value, message: read.problem, continue: false });
});

const challenge = {
  code_challenge: z.optional(z.string().check(z.maxLength(128, "must have at most 128 characters"))),
  code_challenge_method: z.optional(z.enum(["S256", "plain"], "must be S256 or plain")),
};

/** The members of a challenge must fit together. */
const fitting: z.core.CheckFn<GivenChallenge> = (context) => {
  const wrong = wrongChallenge(context.value);
  if (wrong === null) return;
  const { path, message } = wrong;
  context.issues.push({ code: "custom", input: context.value[path], path: [path], message, continue: false });
};

export const KeyLabel = nameOf(100);
const WorkspaceId = z.uuid("must be a workspace's id (a UUID)");

export const createAuthCode = endpoint({
  name: "createAuthCode",
  operationId: "createAuthKeysCode",
  method: "POST",
  path: "/auth/keys/code",
  tag: "OAuth",
  summary: "Make a code that an app can exchange for a key",
  description:
    "For the holder of an API key, without the consent page. The key that the code is exchanged for is in the calling key's workspace, ends with it, shares its rate limits, and can make no codes itself. A key with a spending limit cannot make codes: two keys would spend twice the limit.",
  auth: "ordinary",
  body: z
    .strictObject({
      callback_url: CallbackUrl,
      ...challenge,
      /** spending limit of the key, USD */
      limit: z.optional(UsdAmount),
      usage_limit_type: z.optional(LimitReset),
      /** when the key expires; null: never, or with the calling key */
      expires_at: z.optional(z.nullable(UtcInstant)),
      /** the key's name; by default the app's, which is the callback's host */
      key_label: z.optional(KeyLabel),
      /** the calling key's own */
      workspace_id: z.optional(WorkspaceId),
      /** accepted for older clients, and not used */
      spawn_agent: z.optional(z.string().check(z.maxLength(255))),
      spawn_cloud: z.optional(z.string().check(z.maxLength(255))),
    })
    .check(fitting),
  bodyLimit: kilobytes(16),
  returns: z.object({
    data: z.object({
      /** the code */
      id: z.string(),
      /** always the same for one host */
      app_id: z.int(),
      created_at: Instant,
    }),
  }),
  errors: [400, 401, 403, 409, 413, 429, 500],
});

export const exchangeAuthCode = endpoint({
  name: "exchangeAuthCode",
  operationId: "exchangeAuthCodeForAPIKey",
  method: "POST",
  path: "/auth/keys",
  tag: "OAuth",
  summary: "Exchange a code for an API key",
  description:
    "Pages of any origin may call it. A code works once, for 10 minutes, and with the verifier of its challenge; a wrong verifier ends it. The `key` is in this answer and nowhere else. Failed attempts are slowed by address.",
  auth: "none",
  anyOrigin: true,
  // Apps of other gateways may send members of their own.
  body: z.object({
    code: z.string().check(z.minLength(1, "must have at least one character"), z.maxLength(512)),
    code_verifier: z.optional(z.string().check(z.maxLength(512, "must have at most 512 characters"))),
    code_challenge_method: z.optional(z.nullable(z.string())),
  }),
  bodyLimit: kilobytes(8),
  returns: z.object({ key: z.string(), user_id: z.nullable(z.string()) }),
  errors: [400, 403, 413, 429, 500],
});

export const authorizeApp = endpoint({
  name: "authorizeApp",
  method: "POST",
  path: "/auth/consent",
  tag: "OAuth",
  summary: "Consent to a key for an app",
  description:
    "What the console's page `/auth` calls when an admin agrees: the answer has the app's address with a code in it, or the code itself where there is no callback. Beyond the public API.",
  auth: "session",
  body: z
    .strictObject({
      callback_url: z.optional(CallbackUrl),
      ...challenge,
      name: KeyLabel,
      limit: z.nullable(UsdAmount),
      limit_reset: z.nullable(LimitReset),
      expires_at: z.nullable(UtcInstant),
      workspace_id: WorkspaceId,
    })
    .check(fitting),
  bodyLimit: kilobytes(16),
  returns: z.object({
    data: z.object({
      /** where to send the browser; null without a callback */
      redirect_url: z.nullable(z.string()),
      /** null with a callback */
      code: z.nullable(z.string()),
      expires_at: Instant,
    }),
  }),
  errors: [400, 401, 403, 413, 500],
});
