import type { Endpoint } from "./endpoint.ts";
import { listAudit } from "./audit.ts";
import { createByokKey, deleteByokKey, getByokKey, listByokKeys, testByokKey, updateByokKey } from "./byok.ts";
import { addCredits, createCoinbaseCharge, getCredits } from "./credits.ts";
import {
  createDestination,
  deleteDestination,
  getDestination,
  listDestinations,
  listDestinationTypes,
  updateDestination,
} from "./destinations.ts";
import {
  estimateDestination,
  getDestinationHealth,
  getDeliveryOutcome,
  listDeadLetters,
  listDestinationHealth,
  previewDestination,
  replayDeadLetters,
  replayDestination,
  retryDestination,
  sampleSessions,
  testDestination,
  tryDestination,
} from "./forwarding.ts";
import { getAnalyticsMeta, queryAnalytics } from "./analytics.ts";
import { getAttention } from "./attention.ts";
import { getCounts } from "./counts.ts";
import { getOverview } from "./overview.ts";
import { getUsageReport } from "./usage-report.ts";
import { getActivity, getLatency, getModelUsage, getUsage } from "./activity.ts";
import { deleteWorkspaceBudget, getWorkspaceBudget, listWorkspaceBudgets, upsertWorkspaceBudget } from "./budgets.ts";
import { countGenerations } from "./call-counts.ts";
import { clearEmbeddingCache, getEmbeddingCache } from "./embedding-cache.ts";
import { listCalls, suggestCallFilters } from "./call-list.ts";
import { listGenerationSessions } from "./call-sessions.ts";
import { listGenerations } from "./calls.ts";
import {
  acceptCanaryBaseline,
  checkCanary,
  createCanary,
  deleteCanary,
  listCanaries,
  listCanaryRuns,
  updateCanary,
} from "./canaries.ts";
import { createChatCompletion } from "./chat.ts";
import { createCompletion } from "./completions.ts";
import { getAppRankings, getBenchmarks, getRankingsDaily, getSessionCost, getTaskClassifications } from "./datasets.ts";
import { createEmbeddings, listEmbeddingModels } from "./embeddings.ts";
import {
  createFederationPolicy,
  createOauthToken,
  deleteFederationPolicy,
  getFederationPolicy,
  listFederationPolicies,
  listFederationSubjects,
  listOauthJwks,
  updateFederationPolicy,
} from "./federation.ts";
import { listGenerationFeedback, submitGenerationFeedback } from "./feedback.ts";
import { getGeneration, getGenerationContent } from "./generations.ts";
import {
  bulkAssignKeysToGuardrail,
  bulkAssignMembersToGuardrail,
  bulkUnassignKeysFromGuardrail,
  bulkUnassignMembersFromGuardrail,
  tryContentFilters,
  createGuardrail,
  deleteGuardrail,
  getGuardrail,
  listGuardrailKeyAssignments,
  listGuardrailMemberAssignments,
  listGuardrails,
  listKeyAssignments,
  listMemberAssignments,
  updateGuardrail,
} from "./guardrails.ts";
import {
  countKeys,
  createKey,
  deleteKey,
  getCurrentKey,
  getCurrentKeyByOldPath,
  getKey,
  getKeyUsage,
  identifyKeys,
  listKeys,
  rotateKey,
  updateKey,
} from "./keys.ts";
import {
  createManagementKey,
  deleteManagementKey,
  endManagementKeySessions,
  getManagementKey,
  listManagementKeys,
  rotateManagementKey,
  updateManagementKey,
} from "./management-keys.ts";
import {
  addWorkspaceMembers,
  listOrganizationMembers,
  listWorkspaceMembers,
  removeWorkspaceMembers,
} from "./members.ts";
import { countMessageTokens, createMessage } from "./messages.ts";
import {
  countModels,
  getModel,
  listModelEndpoints,
  listModels,
  listModelsForUser,
  listZdrEndpoints,
  retrieveModel,
  retrieveModelOfAuthor,
} from "./models.ts";
import { authorizeApp, createAuthCode, exchangeAuthCode } from "./oauth.ts";
import {
  createPreset,
  createPresetVersion,
  deletePreset,
  getPreset,
  getPresetVersion,
  listPresets,
  listPresetVersions,
  savePresetFromChat,
  savePresetFromMessage,
  savePresetFromResponse,
  updatePreset,
} from "./presets.ts";
import {
  createProvider,
  deleteProvider,
  getProvider,
  listDetectedProviders,
  listProviders,
  listProviderSettings,
  testProvider,
  testProviderSettings,
  updateProvider,
} from "./providers.ts";
import { deleteFile, downloadFileContent, getFileMetadata, listFiles, uploadFile } from "./files.ts";
import { createImage, createImageByOpenAiPath, listImageModelEndpoints, listImageModels } from "./images.ts";
import { listRefusedCalls } from "./refused-calls.ts";
import { createResponse } from "./responses.ts";
import { createRerank } from "./rerank.ts";
import { createSpeech } from "./speech.ts";
import { createTranscription } from "./transcriptions.ts";
import { deleteVideoWebhook, getVideoWebhook, rotateVideoWebhookSecret, updateVideoWebhook } from "./video-webhooks.ts";
import { createVideo, getVideo, getVideoContent, listVideoModels } from "./videos.ts";
import { cancelBatch, createBatch, deleteBatch, getBatch, listBatches } from "./batches.ts";
import {
  cancelMessageBatch,
  createMessageBatch,
  deleteMessageBatch,
  getMessageBatch,
  getMessageBatchResults,
  listMessageBatches,
} from "./message-batches.ts";
import {
  createScimGroupMapping,
  createScimSyncJob,
  createScimToken,
  deleteScimGroupMapping,
  deleteScimToken,
  getScimGroupMapping,
  getScimSyncJob,
  listScimGroupMappings,
  listScimGroups,
  listScimTokens,
  updateScimGroupMapping,
} from "./scim.ts";
import { createSession, deleteSession, getSession } from "./session.ts";
import { getHealth, getReadiness } from "./health.ts";
import { createWorkspace, deleteWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from "./workspaces.ts";

/** The version in the machine-readable description; the API's own version is the `v1` of the base path. */
export const apiVersion = "1.0.0";

/** The base that every path is relative to. */
export const basePath = "/api/v1";

/** Every operation that Gatehouse serves. The routes and the OpenAPI document are generated from this list alone. */
export const api = {
  createKey,
  listKeys,
  countKeys,
  identifyKeys,
  getKey,
  updateKey,
  deleteKey,
  rotateKey,
  getKeyUsage,
  getCurrentKey,
  getCurrentKeyByOldPath,
  createAuthCode,
  exchangeAuthCode,
  authorizeApp,
  listFederationPolicies,
  createFederationPolicy,
  getFederationPolicy,
  updateFederationPolicy,
  deleteFederationPolicy,
  listFederationSubjects,
  createOauthToken,
  listOauthJwks,
  listManagementKeys,
  createManagementKey,
  getManagementKey,
  updateManagementKey,
  deleteManagementKey,
  rotateManagementKey,
  endManagementKeySessions,
  listOrganizationMembers,
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  updateWorkspace,
  deleteWorkspace,
  listWorkspaceMembers,
  addWorkspaceMembers,
  removeWorkspaceMembers,
  listScimTokens,
  createScimToken,
  deleteScimToken,
  listScimGroups,
  listScimGroupMappings,
  createScimGroupMapping,
  getScimGroupMapping,
  updateScimGroupMapping,
  deleteScimGroupMapping,
  createScimSyncJob,
  getScimSyncJob,
  listWorkspaceBudgets,
  upsertWorkspaceBudget,
  getWorkspaceBudget,
  deleteWorkspaceBudget,
  getEmbeddingCache,
  clearEmbeddingCache,
  createEmbeddings,
  createChatCompletion,
  createCompletion,
  createRerank,
  createSpeech,
  createTranscription,
  createImage,
  createImageByOpenAiPath,
  listImageModels,
  listImageModelEndpoints,
  createVideo,
  listVideoModels,
  getVideo,
  getVideoContent,
  getVideoWebhook,
  updateVideoWebhook,
  deleteVideoWebhook,
  rotateVideoWebhookSecret,
  listBatches,
  createBatch,
  getBatch,
  cancelBatch,
  deleteBatch,
  listMessageBatches,
  createMessageBatch,
  getMessageBatch,
  cancelMessageBatch,
  deleteMessageBatch,
  getMessageBatchResults,
  createMessage,
  countMessageTokens,
  createResponse,
  listFiles,
  uploadFile,
  getFileMetadata,
  deleteFile,
  downloadFileContent,
  getGeneration,
  getGenerationContent,
  submitGenerationFeedback,
  listGenerationFeedback,
  listGenerations,
  countGenerations,
  listGenerationSessions,
  listCalls,
  suggestCallFilters,
  listRefusedCalls,
  getActivity,
  getAnalyticsMeta,
  queryAnalytics,
  getRankingsDaily,
  getAppRankings,
  getSessionCost,
  getBenchmarks,
  getTaskClassifications,
  getUsage,
  getUsageReport,
  getLatency,
  getModelUsage,
  getAttention,
  getOverview,
  getCounts,
  getCredits,
  addCredits,
  createCoinbaseCharge,
  listEmbeddingModels,
  listModels,
  countModels,
  listModelsForUser,
  getModel,
  retrieveModel,
  retrieveModelOfAuthor,
  listModelEndpoints,
  listZdrEndpoints,
  listProviders,
  listProviderSettings,
  listDetectedProviders,
  createProvider,
  getProvider,
  updateProvider,
  deleteProvider,
  testProvider,
  testProviderSettings,
  listByokKeys,
  createByokKey,
  getByokKey,
  updateByokKey,
  deleteByokKey,
  testByokKey,
  listCanaries,
  createCanary,
  updateCanary,
  deleteCanary,
  checkCanary,
  acceptCanaryBaseline,
  listCanaryRuns,
  listGuardrails,
  createGuardrail,
  getGuardrail,
  updateGuardrail,
  deleteGuardrail,
  listKeyAssignments,
  listMemberAssignments,
  listGuardrailKeyAssignments,
  bulkAssignKeysToGuardrail,
  bulkUnassignKeysFromGuardrail,
  listGuardrailMemberAssignments,
  bulkAssignMembersToGuardrail,
  bulkUnassignMembersFromGuardrail,
  tryContentFilters,
  listPresets,
  createPreset,
  getPreset,
  updatePreset,
  deletePreset,
  listPresetVersions,
  createPresetVersion,
  getPresetVersion,
  savePresetFromChat,
  savePresetFromMessage,
  savePresetFromResponse,
  createSession,
  getSession,
  deleteSession,
  listDestinations,
  createDestination,
  getDestination,
  updateDestination,
  deleteDestination,
  listDestinationTypes,
  listDestinationHealth,
  getDestinationHealth,
  testDestination,
  previewDestination,
  tryDestination,
  estimateDestination,
  sampleSessions,
  getDeliveryOutcome,
  listDeadLetters,
  replayDeadLetters,
  replayDestination,
  retryDestination,
  listAudit,
  getHealth,
  getReadiness,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof api;

/** Any endpoint of the list, for code that depends on its name: a name that is not in the list does not compile. */
export interface ApiEndpoint extends Endpoint {
  readonly name: EndpointName;
}
