import type { Endpoint } from "#contract/endpoint.ts";

const log = "listAudit";
const keys = ["list", "countKeys", "getKey", "getKeyUsage", "listWorkspaces", "getWorkspace", log];
const workspaces = ["listWorkspaces", "getWorkspace", log];
const providers = [
  "listProviders",
  "listProviderSettings",
  "listDetectedProviders",
  "getProvider",
  "listEmbeddingsModels",
  "getModels",
  "listModelsCount",
  "listModelsUser",
  "getModel",
  "listEndpoints",
  "listEndpointsZdr",
  log,
];
const byok = ["listBYOKKeys", "getBYOKKey", log];
const budgets = ["listWorkspaceBudgets", "getWorkspaceBudget", "listWorkspaces", "getWorkspace", log];
const health = ["listDestinationHealth", "getDestinationHealth"];
const destinations = ["listObservabilityDestinations", "getObservabilityDestination", ...health, log];

/**
 * Which reads each change makes stale, by the endpoints' names: the whole table, so that no page has to remember.
 * Names instead of endpoints, because a page must not load the schemas of all others for it.
 */
export const staleReads: Readonly<Record<string, readonly string[]>> = {
  createKeys: keys,
  updateKeys: keys,
  deleteKeys: keys,
  rotateKey: keys,
  createWorkspace: workspaces,
  updateWorkspace: workspaces,
  deleteWorkspace: [...workspaces, ...keys],
  upsertWorkspaceBudget: budgets,
  deleteWorkspaceBudget: budgets,
  addCredits: ["getCredits", log],
  createProvider: providers,
  updateProvider: providers,
  deleteProvider: providers,
  // a test writes down what it found
  testProvider: ["listProviderSettings", "getProvider"],
  createBYOKKey: byok,
  updateBYOKKey: byok,
  deleteBYOKKey: byok,
  createObservabilityDestination: destinations,
  updateObservabilityDestination: destinations,
  deleteObservabilityDestination: destinations,
  replayDeadLetters: [...health, "listDeadLetters", log],
  replayDestination: [...health, log],
  retryDestination: health,
};

/** The names of the reads that a successful call of `endpoint` makes stale. */
export function staleAfter(endpoint: Pick<Endpoint, "name">): readonly string[] {
  const reads = staleReads[endpoint.name];
  if (!reads)
    throw new Error(
      `${endpoint.name} has no row in the table of api/stale.ts: add one that lists the reads it changes`,
    );
  return reads;
}
