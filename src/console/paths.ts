/**
 * Every address of the console, as functions. `workspace` is a slug, an id, or `all`; it is part of the path so that
 * two tabs can look at two workspaces. `at` is the prefix that all pages of one workspace share.
 */
const at = (workspace: string) => `/w/${encodeURIComponent(workspace)}`;

export const paths = {
  home: () => "/",
  signIn: () => "/sign-in",
  /** what an app asks for goes into the query */
  authorizeApp: () => "/auth",
  overview: (workspace: string) => `${at(workspace)}/overview`,
  usage: (workspace: string) => `${at(workspace)}/usage`,
  keys: (workspace: string) => `${at(workspace)}/keys`,
  newKey: (workspace: string) => `${at(workspace)}/keys/new`,
  key: (workspace: string, hash: string) => `${at(workspace)}/keys/${hash}`,
  editKey: (workspace: string, hash: string) => `${at(workspace)}/keys/${hash}/edit`,
  replaceKey: (workspace: string, hash: string) => `${at(workspace)}/keys/${hash}/replace`,
  managementKeys: (workspace: string) => `${at(workspace)}/management-keys`,
  newManagementKey: (workspace: string) => `${at(workspace)}/management-keys/new`,
  editManagementKey: (workspace: string, hash: string) => `${at(workspace)}/management-keys/${hash}/edit`,
  replaceManagementKey: (workspace: string, hash: string) => `${at(workspace)}/management-keys/${hash}/replace`,
  workspaces: (workspace: string) => `${at(workspace)}/workspaces`,
  newWorkspace: (workspace: string) => `${at(workspace)}/workspaces/new`,
  oneWorkspace: (workspace: string, id: string) => `${at(workspace)}/workspaces/${encodeURIComponent(id)}`,
  editWorkspace: (workspace: string, id: string) => `${at(workspace)}/workspaces/${encodeURIComponent(id)}/edit`,
  deleteWorkspace: (workspace: string, id: string) => `${at(workspace)}/workspaces/${encodeURIComponent(id)}/delete`,
  providers: (workspace: string) => `${at(workspace)}/providers`,
  newProvider: (workspace: string) => `${at(workspace)}/providers/new`,
  provider: (workspace: string, slug: string) => `${at(workspace)}/providers/${encodeURIComponent(slug)}`,
  editProvider: (workspace: string, slug: string) => `${paths.provider(workspace, slug)}/edit`,
  deleteProvider: (workspace: string, slug: string) => `${paths.provider(workspace, slug)}/delete`,
  pickModels: (workspace: string, slug: string) => `${paths.provider(workspace, slug)}/models/pick`,
  newModel: (workspace: string, slug: string) => `${paths.provider(workspace, slug)}/models/new`,
  /** the model's id, which contains a slash, goes into `?model=` */
  editModel: (workspace: string, slug: string) => `${paths.provider(workspace, slug)}/models/edit`,
  newByokKey: (workspace: string, slug: string) => `${paths.provider(workspace, slug)}/byok/new`,
  editByokKey: (workspace: string, slug: string, id: string) =>
    `${paths.provider(workspace, slug)}/byok/${encodeURIComponent(id)}`,
  destinations: (workspace: string) => `${at(workspace)}/destinations`,
  newDestination: (workspace: string) => `${at(workspace)}/destinations/new`,
  newDestinationOf: (workspace: string, type: string) =>
    `${at(workspace)}/destinations/new/${encodeURIComponent(type)}`,
  /** the call's id goes into `?generation=` */
  findEvent: (workspace: string) => `${at(workspace)}/destinations/find`,
  destination: (workspace: string, id: string) => `${at(workspace)}/destinations/${encodeURIComponent(id)}`,
  deleteDestination: (workspace: string, id: string) => `${paths.destination(workspace, id)}/delete`,
  deadLetters: (workspace: string, id: string) => `${paths.destination(workspace, id)}/dead-letters`,
  replayDestination: (workspace: string, id: string) => `${paths.destination(workspace, id)}/replay`,
  files: (workspace: string) => `${at(workspace)}/files`,
  deleteFile: (workspace: string, id: string) => `${at(workspace)}/files/${encodeURIComponent(id)}/delete`,
  batches: (workspace: string) => `${at(workspace)}/batches`,
  batch: (workspace: string, id: string) => `${at(workspace)}/batches/${encodeURIComponent(id)}`,

  presets: (workspace: string) => `${at(workspace)}/presets`,
  newPreset: (workspace: string) => `${at(workspace)}/presets/new`,
  /** apart from `new`: a preset may have any slug */
  preset: (workspace: string, slug: string) => `${at(workspace)}/presets/of/${encodeURIComponent(slug)}`,
  editPreset: (workspace: string, slug: string) => `${paths.preset(workspace, slug)}/edit`,
  presetSettings: (workspace: string, slug: string) => `${paths.preset(workspace, slug)}/settings`,
  deletePreset: (workspace: string, slug: string) => `${paths.preset(workspace, slug)}/delete`,
  guardrails: (workspace: string) => `${at(workspace)}/guardrails`,
  newGuardrail: (workspace: string) => `${at(workspace)}/guardrails/new`,
  guardrail: (workspace: string, id: string) => `${at(workspace)}/guardrails/${encodeURIComponent(id)}`,
  editGuardrail: (workspace: string, id: string) => `${paths.guardrail(workspace, id)}/edit`,
  deleteGuardrail: (workspace: string, id: string) => `${paths.guardrail(workspace, id)}/delete`,
  assignKeys: (workspace: string, id: string) => `${paths.guardrail(workspace, id)}/assign-keys`,
  assignCreators: (workspace: string, id: string) => `${paths.guardrail(workspace, id)}/assign-creators`,
  models: (workspace: string) => `${at(workspace)}/models`,
  /** `author/slug`: each part is a part of the address */
  model: (workspace: string, id: string) =>
    `${at(workspace)}/models/${id.split("/").map(encodeURIComponent).join("/")}`,
  /** the canary of a provider's model: sets it up, or changes it */
  canary: (workspace: string, id: string, provider: string) =>
    `${paths.model(workspace, id)}/watch/${encodeURIComponent(provider)}`,
  changePlan: (workspace: string, id: string) => `${paths.model(workspace, id)}/change`,
  calls: (workspace: string) => `${at(workspace)}/calls`,
  call: (workspace: string, id: string) => `${at(workspace)}/calls/${encodeURIComponent(id)}`,
  credits: (workspace: string) => `${at(workspace)}/credits`,
  addCredits: (workspace: string) => `${at(workspace)}/credits/add`,
  workspaceCache: (workspace: string, id: string) =>
    `${at(workspace)}/workspaces/${encodeURIComponent(id)}/embedding-cache`,
  videoWebhook: (workspace: string, id: string) =>
    `${at(workspace)}/workspaces/${encodeURIComponent(id)}/video-notifications`,
  setVideoWebhook: (workspace: string, id: string) => `${paths.videoWebhook(workspace, id)}/address`,
  workspaceBudgets: (workspace: string, id: string) => `${at(workspace)}/workspaces/${encodeURIComponent(id)}/budgets`,
  setBudget: (workspace: string, id: string, interval: string) =>
    `${paths.workspaceBudgets(workspace, id)}/${encodeURIComponent(interval)}`,
  playground: (workspace: string) => `${at(workspace)}/playground`,
  /** the model goes into `?model=` */
  playgroundChat: (workspace: string) => `${at(workspace)}/playground/chat`,
  audit: (workspace: string) => `${at(workspace)}/audit`,
};

/** The hash of an address of a key's form that puts the focus on the limit. */
export const limitField = "limit";
/** The hash of the keys' address that asks about a key that was found somewhere. */
export const foundPart = "found";
/** The hash of an address of a key's page that leads to what covers the key. */
export const guardrailsPart = "guardrails";

/** The workspace part of a URL that means all of them. */
export const allWorkspaces = "all";

/** How a workspace is written in an address: its slug, or its id where the slug would be taken for `all`. */
export function workspaceInPath(workspace: { id: string; slug: string }): string {
  return workspace.slug === allWorkspaces ? workspace.id : workspace.slug;
}

/** The same section of another workspace: from `/w/all/keys/abc` to `/w/staging/keys`. Objects stay behind. */
export function inWorkspace(pathname: string, workspace: string): string {
  const section = /^\/w\/[^/]+\/(playground\/chat|[^/]+)/.exec(pathname)?.[1] ?? "overview";
  return `${at(workspace)}/${section}`;
}

/** A way back after signing in: only an address of this console is taken, so that a link can't send people elsewhere. */
export function wayBack(to: string | undefined): string {
  return to !== undefined && /^\/(w\/[\w-]|auth\?)/.test(to) ? to : paths.home();
}
