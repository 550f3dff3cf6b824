import type { EndpointName } from "#contract/api.ts";

type Reads = readonly EndpointName[];

const log = "listAudit";
const keys: Reads = [
  "listKeys",
  "countKeys",
  "getCounts",
  "getKey",
  "getKeyUsage",
  "identifyKeys",
  "listWorkspaces",
  "getWorkspace",
  log,
];
const managementKeys: Reads = ["listManagementKeys", "identifyKeys", log];
const workspaces: Reads = ["listWorkspaces", "getWorkspace", "getEmbeddingCache", log];
const providers: Reads = [
  "listProviders",
  "listProviderSettings",
  "listDetectedProviders",
  "getProvider",
  "listEmbeddingModels",
  "listModels",
  "countModels",
  "listModelsForUser",
  "getModel",
  "listModelEndpoints",
  "listZdrEndpoints",
  log,
];
const byok: Reads = ["listByokKeys", "getByokKey", log];
const canaries: Reads = ["listCanaries", "listCanaryRuns", "getAttention", log];
const presets: Reads = ["listPresets", "getPreset", "listPresetVersions", "getPresetVersion", log];
const guardrails: Reads = [
  "listGuardrails",
  "getGuardrail",
  "listKeyAssignments",
  "listMemberAssignments",
  "listGuardrailKeyAssignments",
  "listGuardrailMemberAssignments",
  log,
];
const members: Reads = ["listWorkspaceMembers", "listOrganizationMembers", log];
const mappings: Reads = ["listScimGroupMappings", "getScimGroupMapping", ...members];
const files: Reads = ["listFiles", log];
const batches: Reads = ["listBatches", "getBatch", log];
const messageBatches: Reads = ["listMessageBatches", "getMessageBatch"];
const budgets: Reads = [
  "listWorkspaceBudgets",
  "getWorkspaceBudget",
  "listWorkspaces",
  "getWorkspace",
  "getAttention",
  "getOverview",
  log,
];
const health: Reads = ["listDestinationHealth", "getDestinationHealth"];
const destinations: Reads = ["listDestinations", "getDestination", "getCounts", ...health, log];

/**
 * Which reads each change makes stale, by the endpoints' names: the whole table, so that no page has to remember.
 * Names instead of endpoints, because a page must not load the schemas of all others for it.
 */
export const staleReads: Readonly<Partial<Record<EndpointName, Reads>>> = {
  createKey: keys,
  updateKey: keys,
  deleteKey: [...keys, ...guardrails],
  rotateKey: [...keys, ...guardrails],
  // the key comes later, when the app exchanges its code
  authorizeApp: [log],
  createAuthCode: [log],
  exchangeAuthCode: keys,
  // no page reads policies
  createFederationPolicy: [log],
  updateFederationPolicy: [log],
  deleteFederationPolicy: [log],
  createOauthToken: ["listFederationSubjects"],
  createManagementKey: managementKeys,
  updateManagementKey: managementKeys,
  deleteManagementKey: managementKeys,
  rotateManagementKey: managementKeys,
  endManagementKeySessions: managementKeys,
  createWorkspace: workspaces,
  updateWorkspace: workspaces,
  deleteWorkspace: [...workspaces, ...keys, ...guardrails],
  addWorkspaceMembers: members,
  removeWorkspaceMembers: members,
  createScimToken: ["listScimTokens", ...members],
  deleteScimToken: ["listScimTokens", ...members],
  createScimGroupMapping: mappings,
  updateScimGroupMapping: mappings,
  deleteScimGroupMapping: mappings,
  createScimSyncJob: ["getScimSyncJob", ...members],
  clearEmbeddingCache: ["getEmbeddingCache", log],
  updateVideoWebhook: ["getVideoWebhook", log],
  deleteVideoWebhook: ["getVideoWebhook", log],
  rotateVideoWebhookSecret: ["getVideoWebhook", log],
  upsertWorkspaceBudget: budgets,
  deleteWorkspaceBudget: budgets,
  submitGenerationFeedback: ["listGenerationFeedback"],
  addCredits: ["getCredits", log],
  createCoinbaseCharge: ["getCredits"],
  createProvider: providers,
  updateProvider: providers,
  deleteProvider: providers,
  // a test writes down what it found
  testProvider: ["listProviderSettings", "getProvider"],
  createByokKey: byok,
  updateByokKey: byok,
  deleteByokKey: byok,
  createCanary: canaries,
  updateCanary: canaries,
  deleteCanary: canaries,
  checkCanary: canaries,
  acceptCanaryBaseline: canaries,
  createPreset: presets,
  updatePreset: presets,
  deletePreset: presets,
  createPresetVersion: presets,
  savePresetFromChat: presets,
  savePresetFromMessage: presets,
  savePresetFromResponse: presets,
  createGuardrail: guardrails,
  updateGuardrail: guardrails,
  deleteGuardrail: guardrails,
  bulkAssignKeysToGuardrail: guardrails,
  bulkUnassignKeysFromGuardrail: guardrails,
  bulkAssignMembersToGuardrail: guardrails,
  bulkUnassignMembersFromGuardrail: guardrails,
  createDestination: destinations,
  updateDestination: destinations,
  deleteDestination: destinations,
  createBatch: batches,
  cancelBatch: batches,
  deleteBatch: batches,
  createMessageBatch: messageBatches,
  cancelMessageBatch: messageBatches,
  deleteMessageBatch: messageBatches,
  uploadFile: files,
  deleteFile: files,
  replayDeadLetters: [...health, "listDeadLetters", log],
  replayDestination: [...health, log],
  retryDestination: health,
};

/** The names of the reads that a successful call of `endpoint` makes stale. */
export function staleAfter({ name }: { name: EndpointName }): Reads {
  const reads = staleReads[name];
  if (!reads)
    throw new Error(`${name} has no row in the table of api/invalidation.ts: add one that lists the reads it changes`);
  return reads;
}
