import type { Endpoint } from "./endpoint.ts";
import { listAudit } from "./audit.ts";
import { createByokKey, deleteByokKey, getByokKey, listByokKeys, updateByokKey } from "./byok.ts";
import { addCredits, getCredits } from "./credits.ts";
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
  getEventFate,
  listDeadLetters,
  listDestinationHealth,
  previewDestination,
  replayDeadLetters,
  replayDestination,
  retryDestination,
  testDestination,
  tryDestination,
} from "./forwarding.ts";
import { getActivity, getLatency, getUsage } from "./activity.ts";
import { deleteWorkspaceBudget, getWorkspaceBudget, listWorkspaceBudgets, upsertWorkspaceBudget } from "./budgets.ts";
import { listGenerations } from "./calls.ts";
import { createChatCompletion } from "./chat.ts";
import { createEmbeddings, listEmbeddingModels } from "./embeddings.ts";
import { getGeneration, getGenerationContent } from "./generations.ts";
import {
  countKeys,
  createKey,
  deleteKey,
  getCurrentKey,
  getKey,
  getKeyUsage,
  listKeys,
  rotateKey,
  updateKey,
} from "./keys.ts";
import {
  countModels,
  getModel,
  listModelEndpoints,
  listModels,
  listModelsForUser,
  listZdrEndpoints,
} from "./models.ts";
import {
  createProvider,
  deleteProvider,
  getProvider,
  listDetectedProviders,
  listProviders,
  listProviderSettings,
  testProvider,
  updateProvider,
} from "./providers.ts";
import { createSession, deleteSession, getSession } from "./session.ts";
import { getHealth, getReadiness } from "./system.ts";
import { createWorkspace, deleteWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from "./workspaces.ts";

/** The version in the machine-readable description; the API's own version is the `v1` of the base path. */
export const apiVersion = "1.0.0";

/** What every path is relative to. */
export const basePath = "/api/v1";

/** Every operation that Gatehouse answers. The routes and the OpenAPI document are made from this list alone. */
export const api = {
  createKey,
  listKeys,
  countKeys,
  getKey,
  updateKey,
  deleteKey,
  rotateKey,
  getKeyUsage,
  getCurrentKey,
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  updateWorkspace,
  deleteWorkspace,
  listWorkspaceBudgets,
  upsertWorkspaceBudget,
  getWorkspaceBudget,
  deleteWorkspaceBudget,
  createEmbeddings,
  createChatCompletion,
  getGeneration,
  getGenerationContent,
  listGenerations,
  getActivity,
  getUsage,
  getLatency,
  getCredits,
  addCredits,
  listEmbeddingModels,
  listModels,
  countModels,
  listModelsForUser,
  getModel,
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
  listByokKeys,
  createByokKey,
  getByokKey,
  updateByokKey,
  deleteByokKey,
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
  getEventFate,
  listDeadLetters,
  replayDeadLetters,
  replayDestination,
  retryDestination,
  listAudit,
  getHealth,
  getReadiness,
} as const satisfies Record<string, Endpoint>;
