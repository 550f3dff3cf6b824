import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Cursor, queryInteger } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

/** One change, as it was made. Secrets are never in it: a changed secret is the word "changed". */
export const AuditRecord = z.object({
  id: z.string(),
  at: Instant,
  /** the management key's name, a SCIM token's, or "gatehouse" for changes that the program makes by itself */
  actor: z.string(),
  /** the endpoint's operationId: createKeys, updateWorkspace …; or one of the directory's actions */
  action: z.string(),
  target_type: z.string(),
  target_id: z.string(),
  target_name: z.nullable(z.string()),
  workspace_id: z.nullable(z.uuid()),
  /**
   * Changed members only, before and after; null where there was no value. Of a long list only the items that the other
   * side lacks, as `{count, unchanged, shown, cut}`; of another long value `{beginning, cut}`.
   */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  source_ip: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** What an identity provider changes by SCIM: its requests are no operations of the API. */
export const directoryActions = [
  "createScimUser",
  "updateScimUser",
  "deleteScimUser",
  "createScimGroup",
  "updateScimGroup",
  "deleteScimGroup",
] as const;
export type DirectoryAction = (typeof directoryActions)[number];

/**
 * The operationIds that an admin's changes are recorded under; the log may hold others, from versions before. As text:
 * naming the endpoints would load every contract with the console's audit page.
 */
export const auditedOperations: readonly string[] = [
  "createKeys",
  "updateKeys",
  "rotateKey",
  "deleteKeys",
  "sendChatCompletionRequest",
  "authorizeApp",
  "exchangeAuthCodeForAPIKey",
  "createFederationPolicy",
  "updateFederationPolicy",
  "deleteFederationPolicy",
  "createManagementKey",
  "updateManagementKey",
  "rotateManagementKey",
  "deleteManagementKey",
  "endManagementKeySessions",
  "createWorkspace",
  "updateWorkspace",
  "deleteWorkspace",
  "bulkAddWorkspaceMembers",
  "bulkRemoveWorkspaceMembers",
  ...directoryActions,
  "createScimToken",
  "deleteScimToken",
  "createScimGroupMapping",
  "updateScimGroupMapping",
  "deleteScimGroupMapping",
  "createScimSyncJob",
  "upsertWorkspaceBudget",
  "deleteWorkspaceBudget",
  "clearEmbeddingCache",
  "addCredits",
  "createProvider",
  "updateProvider",
  "deleteProvider",
  "createBYOKKey",
  "updateBYOKKey",
  "deleteBYOKKey",
  "cancelBatches",
  "deleteBatches",
  "createCanary",
  "updateCanary",
  "deleteCanary",
  "acceptCanaryBaseline",
  "createPreset",
  "updatePreset",
  "deletePreset",
  "createPresetVersion",
  "createPresetsChatCompletions",
  "createPresetsMessages",
  "createPresetsResponses",
  "createGuardrail",
  "updateGuardrail",
  "deleteGuardrail",
  "bulkAssignKeysToGuardrail",
  "bulkUnassignKeysFromGuardrail",
  "bulkAssignMembersToGuardrail",
  "bulkUnassignMembersFromGuardrail",
  "updateVideoWebhook",
  "rotateVideoWebhookSecret",
  "deleteVideoWebhook",
  "uploadFile",
  "deleteFile",
  "createObservabilityDestination",
  "updateObservabilityDestination",
  "deleteObservabilityDestination",
  "replayDestination",
  "replayDeadLetters",
];

export const listAudit = endpoint({
  name: "listAudit",
  method: "GET",
  path: "/audit",
  tag: "Audit log",
  summary: "List changes, newest first",
  description: "A page may have fewer rows than `limit`, because their sizes differ: `next_cursor` leads to the rest.",
  auth: "management",
  query: z.strictObject({
    actor: z.optional(z.string().check(z.maxLength(255))),
    action: z.optional(z.string().check(z.maxLength(100))),
    target_type: z.optional(z.string().check(z.maxLength(50))),
    target_id: z.optional(z.string().check(z.maxLength(255))),
    workspace_id: z.optional(z.uuid()),
    request_id: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    /** changes made at this instant or later */
    since: z.optional(UtcInstant),
    /** changes made before this instant */
    until: z.optional(UtcInstant),
    limit: z.optional(queryInteger(1, 100)),
    cursor: z.optional(Cursor),
  }),
  returns: z.object({ data: z.array(AuditRecord), next_cursor: z.nullable(Cursor) }),
  errors: [400, 401, 403, 500],
});
