import * as z from "zod/mini";
import { endpoint, kilobytes } from "./endpoint.ts";
import { list } from "./list.ts";
import { Deleted, OffsetPage } from "./page.ts";
import { nameOf } from "./plain-name.ts";
import { Instant } from "./time.ts";

const tag = "Workload identity";
const auth = "management";

/** Of the whole installation. */
export const mostFederationPolicies = 500;
/** Of one policy: whoever was given an access token last. */
export const mostFederationSubjects = 1_000;
/** Public keys of one issuer. */
export const mostIssuerKeys = 30;
/** Claims of a token that a policy compares, besides its subject. */
export const mostClaimConditions = 20;
/** The public API's access tokens live 15 minutes at most. */
export const tokenLifetime = { least: 60, most: 900, usual: 900 };
/** Characters of a workload's own token. */
export const mostSubjectToken = 16_384;

// URL is the same in Node.js and browsers; the contract is compiled with the types of neither.
declare const URL: {
  parse(text: string): { protocol: string; username: string; password: string; hash: string } | null;
};

const text = (most: number) =>
  z
    .string()
    .check(
      z.minLength(1, "must have at least one character"),
      z.maxLength(most, `must have at most ${most} characters`),
      z.regex(/^[^\p{Cc}]*$/u, "must contain no control characters"),
    );

const JwksUrl = text(2_048).check((context) => {
  const url = URL.parse(context.value);
  const problem =
    url === null || url.protocol !== "https:"
      ? "must be an https URL, such as https://token.actions.githubusercontent.com/.well-known/jwks"
      : url.username !== "" || url.password !== "" || context.value.includes("#")
        ? "must have no user, no password and no fragment in it"
        : null;
  if (problem === null) return;
  context.issues.push({ code: "custom", input: context.value, message: problem, continue: false });
});

const base64url = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[\w-]*$/, "must be base64url"));
const secretPart = z.optional(z.never("is part of a private key: give the public one only"));

/** A public key (RFC 7517). Other members, such as certificates, are taken and dropped. */
export const IssuerKey = z.object({
  kty: z.enum(["RSA", "EC", "OKP"]),
  kid: z.optional(text(255)),
  use: z.optional(z.string().check(z.maxLength(20))),
  alg: z.optional(z.string().check(z.maxLength(20))),
  crv: z.optional(z.string().check(z.maxLength(20))),
  x: z.optional(base64url(200)),
  y: z.optional(base64url(200)),
  /** 8192 bits at most */
  n: z.optional(base64url(1_366)),
  e: z.optional(base64url(20)),
  d: secretPart,
  p: secretPart,
  q: secretPart,
  k: secretPart,
});

export const IssuerJwks = z.object({
  keys: list(IssuerKey, { least: 1, most: mostIssuerKeys, tooFew: "must have at least one key" }),
});
export type IssuerJwks = z.infer<typeof IssuerJwks>;

const ClaimConditions = z
  .record(text(100), z.union([text(500), z.boolean(), z.int()], "must be a text, a whole number, true or false"))
  .check(
    z.refine(
      (claims) => Object.keys(claims).length <= mostClaimConditions,
      `must have at most ${mostClaimConditions} claims`,
    ),
  );
export type ClaimConditions = z.infer<typeof ClaimConditions>;

const Subject = text(255).check(
  z.refine((subject) => !subject.slice(0, -1).includes("*"), "may have a `*` at its end only"),
);
const KeyHash = z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be the hash of an API key"));
const Lifetime = z
  .int()
  .check(
    z.minimum(tokenLifetime.least, `must be at least ${tokenLifetime.least}`),
    z.maximum(tokenLifetime.most, `must be at most ${tokenLifetime.most}, which is 15 minutes`),
  );

const settings = {
  name: nameOf(100),
  /** the API key that the access tokens act as, by its hash */
  api_key_hash: KeyHash,
  /** the tokens' `iss`, exactly */
  issuer: text(500),
  /** where the issuer publishes its public keys; null: they are in `jwks` */
  jwks_url: z.nullable(JwksUrl),
  /** the issuer's public keys; null: they are at `jwks_url` */
  jwks: z.nullable(IssuerJwks),
  /** what the tokens' `aud` must be, or contain */
  audience: text(500),
  /** the tokens' `sub`: exactly, or its beginning with a `*` at the end */
  subject: Subject,
  /** further claims, which must be exactly so */
  claims: ClaimConditions,
  /** seconds that an access token lives, if the workload's own token does not expire before */
  token_lifetime: Lifetime,
};

const FederationPolicy = z.object({
  id: z.uuid(),
  ...settings,
  created_at: Instant,
  /** the name of the management key that created it */
  created_by: z.nullable(z.string()),
  updated_at: z.nullable(Instant),
  /** when it last gave an access token; null: never */
  last_used_at: z.nullable(Instant),
});
export type FederationPolicyRecord = z.infer<typeof FederationPolicy>;

const CreateFederationPolicyBody = z.strictObject({
  ...settings,
  jwks_url: z.optional(settings.jwks_url),
  jwks: z.optional(settings.jwks),
  claims: z.optional(ClaimConditions),
  token_lifetime: z.optional(Lifetime),
});
export type CreateFederationPolicyBody = z.infer<typeof CreateFederationPolicyBody>;

const UpdateFederationPolicyBody = z.partial(z.strictObject(settings));
export type UpdateFederationPolicyBody = z.infer<typeof UpdateFederationPolicyBody>;

const One = z.object({ data: FederationPolicy });
const ById = z.strictObject({ id: z.uuid("must be an id (a UUID)") });

export const listFederationPolicies = endpoint({
  name: "listFederationPolicies",
  method: "GET",
  path: "/federation-policies",
  tag,
  auth,
  summary: "List the federation policies",
  description:
    "Each says which workloads, by tokens of their own issuer, get access tokens that act as an API key. The oldest first. Beyond the public API.",
  query: OffsetPage,
  returns: z.object({ data: z.array(FederationPolicy), total_count: z.int() }),
  errors: [400, 401, 403, 500],
});

export const createFederationPolicy = endpoint({
  name: "createFederationPolicy",
  method: "POST",
  path: "/federation-policies",
  tag,
  auth,
  summary: "Create a federation policy",
  description:
    "The issuer's keys are either at `jwks_url` or in `jwks`. The subject `*` alone needs a condition in `claims` on another than `iss` and `aud`: else every workload of the issuer would be let in. Beyond the public API.",
  body: CreateFederationPolicyBody,
  status: 201,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 409, 413, 500],
});

export const getFederationPolicy = endpoint({
  name: "getFederationPolicy",
  method: "GET",
  path: "/federation-policies/{id}",
  tag,
  auth,
  summary: "Get a federation policy",
  description: "Beyond the public API.",
  params: ById,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const updateFederationPolicy = endpoint({
  name: "updateFederationPolicy",
  method: "PATCH",
  path: "/federation-policies/{id}",
  tag,
  auth,
  summary: "Change a federation policy",
  description: "Any change but that of the name ends the access tokens that it gave, at once. Beyond the public API.",
  params: ById,
  body: UpdateFederationPolicyBody,
  headers: ["If-Match"],
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const deleteFederationPolicy = endpoint({
  name: "deleteFederationPolicy",
  method: "DELETE",
  path: "/federation-policies/{id}",
  tag,
  auth,
  summary: "Delete a federation policy",
  description: "The access tokens that it gave end at once. Beyond the public API.",
  params: ById,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});

const FederationSubject = z.object({
  /** the `sub` of the workload's token, of which the first 255 characters */
  subject: z.string(),
  first_at: Instant,
  last_at: Instant,
  /** access tokens that it was given */
  count: z.int(),
});
export type FederationSubject = z.infer<typeof FederationSubject>;

export const listFederationSubjects = endpoint({
  name: "listFederationSubjects",
  method: "GET",
  path: "/federation-policies/{id}/subjects",
  tag,
  auth,
  summary: "List which workloads a federation policy gave access tokens",
  description: `The last one first; the newest ${mostFederationSubjects} are kept. Beyond the public API.`,
  params: ById,
  query: OffsetPage,
  returns: z.object({ data: z.array(FederationSubject), total_count: z.int() }),
  errors: [400, 401, 403, 404, 500],
});

/** RFC 8693, section 3. */
export const tokenTypes = {
  jwt: "urn:ietf:params:oauth:token-type:jwt",
  accessToken: "urn:ietf:params:oauth:token-type:access_token",
} as const;
const grantType = "urn:ietf:params:oauth:grant-type:token-exchange";

/** What a parameter has to be; its absence is another error than a wrong value. */
const exactly = <const T extends string>(value: T) =>
  z.literal(value, { error: ({ input }) => (input === undefined ? "is required" : `must be ${value}`) });

/** RFC 6749, section 5.2, with RFC 8693. */
export const OAuthErrorCode = z.enum([
  "invalid_request",
  "invalid_grant",
  "unsupported_grant_type",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
]);
export type OAuthErrorCode = z.infer<typeof OAuthErrorCode>;
export const OAuthError = z.object({ error: OAuthErrorCode, error_description: z.string() });
export type OAuthError = z.infer<typeof OAuthError>;

export const createOauthToken = endpoint({
  name: "createOauthToken",
  method: "POST",
  path: "/oauth/token",
  tag,
  auth: "none",
  summary: "Exchange a workload's own token for an access token",
  description:
    "RFC 8693. The `subject_token` is a JWT of an issuer that the federation policy trusts, such as a CI system or Kubernetes. The access token acts as the policy's API key where models are called, and lives 15 minutes at most, and no longer than the subject token. Unknown parameters are ignored. More than 60 failed attempts a minute for one policy from one address are refused.",
  // RFC 6749, section 3.2: unrecognized parameters are ignored.
  body: z.object({
    grant_type: exactly(grantType),
    subject_token: z.string().check(z.maxLength(mostSubjectToken, `must have at most ${mostSubjectToken} characters`)),
    subject_token_type: exactly(tokenTypes.jwt),
    federation_policy_id: z.uuid("must be the id of a federation policy (a UUID)"),
    scope: z.optional(exactly("inference")),
    requested_token_type: z.optional(exactly(tokenTypes.accessToken)),
  }),
  urlencoded: true,
  bodyLimit: kilobytes(32),
  returns: z.object({
    access_token: z.string(),
    /** seconds */
    expires_in: z.int(),
    issued_token_type: z.literal(tokenTypes.accessToken),
    scope: z.literal("inference"),
    token_type: z.literal("Bearer"),
  }),
  errorForm: "oauth",
  errors: [400, 413, 429, 500, 503],
});

export const listOauthJwks = endpoint({
  name: "listOauthJwks",
  method: "GET",
  path: "/oauth/jwks",
  tag,
  summary: "List the public keys that access tokens are signed with",
  description: "The one in use, and the one before it.",
  auth: "none",
  returns: z.object({
    keys: z.array(
      z.object({
        alg: z.literal("ES256"),
        crv: z.literal("P-256"),
        kid: z.string(),
        kty: z.literal("EC"),
        use: z.literal("sig"),
        x: z.string(),
        y: z.string(),
      }),
    ),
  }),
  errors: [500],
});
