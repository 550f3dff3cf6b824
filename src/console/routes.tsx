import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import * as z from "zod/mini";
import { getKey, listKeys } from "#contract/keys.ts";
import { basePath } from "./api/base.ts";
import { everyDestination } from "./api/destinations.ts";
import { pages, query } from "./api/query.ts";
import { session } from "./api/session.ts";
import { loadSession } from "./api/sign-in.ts";
import { hasSignInToken } from "./api/sign-in-link.ts";
import { everyWorkspace } from "./api/workspaces.ts";
import { allWorkspaces, paths, wayBack } from "./paths.ts";
import { auditPages } from "./pages/audit/filters.ts";
import { bound, CallsSearch } from "./pages/calls/search.ts";
import { GuardrailsSearch } from "./pages/guardrails/search.ts";
import { KeysSearch } from "./pages/keys/search.ts";
import { keysQuery } from "./pages/keys/use-keys.ts";
import { ModelsSearch, PlanSearch } from "./pages/models/search.ts";
import { PlaygroundSearch } from "./pages/playground/settings.ts";
import { ChatSearch } from "./pages/playground-chat/search.ts";
import { PresetSearch, PresetsSearch } from "./pages/presets/search.ts";
import { ProviderSearch } from "./pages/providers/search.ts";
import { UsageSearch } from "./pages/usage/search.ts";
import { OverviewSearch } from "./pages/overview/ranges.ts";
import { keepTrail } from "./shell/close-panel.ts";
import { NotFound, NotFoundHere } from "./shell/NotFound.tsx";
import { drawer } from "./shell/overlays.ts";
import { PageError, PageErrorAlone, reloadForMissingCode } from "./shell/PageError.tsx";
import { Root } from "./shell/Root.tsx";
import { SignOutPage, signOutPath } from "./shell/sign-out.ts";
import { Shell } from "./shell/Shell.tsx";
import { WorkspaceFrame } from "./shell/WorkspaceFrame.tsx";

/** A search parameter: what is not of this shape is dropped from the address, never an error page. */
const text = z.catch(z.optional(z.string().check(z.maxLength(300))), undefined);

// Loaders begin the read that a page opens with, on hover already. They never wait for it: the page shows its own state.

/** The id of the workspace in an address, where the list of workspaces has been read. */
function knownWorkspaceId(client: QueryClient, path: string): string | undefined {
  if (path === allWorkspaces) return path;
  return client
    .getQueryData(everyWorkspace.queryKey)
    ?.find((workspace) => workspace.slug === path || workspace.id === path)?.id;
}

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Root, notFoundComponent: NotFound });

/** The way back from signing in: the consent page's may have a callback of 2,048 characters in it, each escaped. */
const longText = z.catch(z.optional(z.string().check(z.maxLength(8_000))), undefined);

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: z.object({ to: longText }),
  beforeLoad: async ({ search }) => {
    if (hasSignInToken()) return;
    // a gateway that does not answer must not keep the page away: the form says what is wrong
    if (session.get().state === "unknown") await loadSession().catch(() => undefined);
    if (session.get().state === "signed-in") throw redirect({ href: wayBack(search.to), replace: true });
  },
  component: lazyRouteComponent(() => import("./pages/sign-in/SignInPage.tsx"), "SignInPage"),
});

const authorizeApp = createRoute({
  getParentRoute: () => root,
  path: "/auth",
  beforeLoad: async () => {
    // the page signs in by itself, once it knows that the app's request can be answered
    if (session.get().state === "unknown") await loadSession().catch(() => undefined);
  },
  component: lazyRouteComponent(() => import("./pages/keys/AuthorizeAppPage.tsx"), "AuthorizeAppPage"),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    if (session.get().state === "unknown") await loadSession();
    if (session.get().state === "signed-out") throw redirect({ to: paths.signIn(), search: { to: location.href } });
  },
  component: Shell,
  errorComponent: PageErrorAlone,
});

const signOut = createRoute({ getParentRoute: () => root, path: signOutPath, component: SignOutPage });

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: paths.overview(allWorkspaces), replace: true });
  },
});

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: "/w/$workspace",
  component: WorkspaceFrame,
  notFoundComponent: NotFoundHere,
});

const overview = createRoute({
  getParentRoute: () => workspace,
  path: "overview",
  validateSearch: OverviewSearch,
  component: lazyRouteComponent(() => import("./pages/overview/OverviewPage.tsx"), "OverviewPage"),
});

const usage = createRoute({
  getParentRoute: () => workspace,
  path: "usage",
  validateSearch: UsageSearch,
  component: lazyRouteComponent(() => import("./pages/usage/UsagePage.tsx"), "UsagePage"),
});

const keys = createRoute({
  getParentRoute: () => workspace,
  path: "keys",
  validateSearch: KeysSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, params, deps }) => {
    const id = knownWorkspaceId(client, params.workspace);
    if (id !== undefined) void client.prefetchInfiniteQuery(pages(listKeys, { query: keysQuery(deps, id) }));
  },
  component: lazyRouteComponent(() => import("./pages/keys/KeysPage.tsx"), "KeysPage"),
});
const newKey = createRoute({
  getParentRoute: () => keys,
  path: "new",
  component: lazyRouteComponent(() => import("./pages/keys/CreateKeyPanel.tsx"), "CreateKeyPanel"),
});
const key = createRoute({
  getParentRoute: () => workspace,
  path: "keys/$hash",
  loader: ({ context: { client }, params: { hash } }) => void client.prefetchQuery(query(getKey, { params: { hash } })),
  component: lazyRouteComponent(() => import("./pages/keys/KeyDetailPage.tsx"), "KeyDetailPage"),
});
const editKey = createRoute({
  getParentRoute: () => key,
  path: "edit",
  component: lazyRouteComponent(() => import("./pages/keys/EditKeyPanel.tsx"), "EditKeyPanel"),
});
const replaceKey = createRoute({
  getParentRoute: () => key,
  path: "replace",
  component: lazyRouteComponent(() => import("./pages/keys/ReplaceKeyPanel.tsx"), "ReplaceKeyPanel"),
});

const managementKeys = createRoute({
  getParentRoute: () => workspace,
  path: "management-keys",
  component: lazyRouteComponent(() => import("./pages/keys/ManagementKeysPage.tsx"), "ManagementKeysPage"),
});
const newManagementKey = createRoute({
  getParentRoute: () => managementKeys,
  path: "new",
  component: lazyRouteComponent(() => import("./pages/keys/CreateManagementKeyPanel.tsx"), "CreateManagementKeyPanel"),
});
const editManagementKey = createRoute({
  getParentRoute: () => managementKeys,
  path: "$hash/edit",
  component: lazyRouteComponent(() => import("./pages/keys/EditManagementKeyPanel.tsx"), "EditManagementKeyPanel"),
});
const replaceManagementKey = createRoute({
  getParentRoute: () => managementKeys,
  path: "$hash/replace",
  component: lazyRouteComponent(
    () => import("./pages/keys/ReplaceManagementKeyPanel.tsx"),
    "ReplaceManagementKeyPanel",
  ),
});

const destinations = createRoute({
  getParentRoute: () => workspace,
  path: "destinations",
  loader: ({ context: { client }, params }) => {
    const id = knownWorkspaceId(client, params.workspace);
    if (id !== undefined) void client.prefetchQuery(everyDestination(id));
  },
  component: lazyRouteComponent(() => import("./pages/destinations/DestinationsPage.tsx"), "DestinationsPage"),
});
const newDestination = createRoute({
  getParentRoute: () => destinations,
  path: "new",
  component: lazyRouteComponent(() => import("./pages/destinations/ChooseKindPanel.tsx"), "ChooseKindPanel"),
});
const findEvent = createRoute({
  getParentRoute: () => destinations,
  path: "find",
  validateSearch: z.object({ generation: text }),
  component: lazyRouteComponent(() => import("./pages/destinations/FindEventPanel.tsx"), "FindEventPanel"),
});
const newDestinationOf = createRoute({
  getParentRoute: () => workspace,
  path: "destinations/new/$type",
  component: lazyRouteComponent(() => import("./pages/destinations/EditorPage.tsx"), "NewDestinationPage"),
});
const destination = createRoute({
  getParentRoute: () => workspace,
  path: "destinations/$id",
  validateSearch: z.object({ through: text }),
  component: lazyRouteComponent(() => import("./pages/destinations/EditorPage.tsx"), "EditorPage"),
});
const deleteDestination = createRoute({
  getParentRoute: () => destination,
  path: "delete",
  component: lazyRouteComponent(
    () => import("./pages/destinations/DeleteDestinationDialog.tsx"),
    "DeleteDestinationDialog",
  ),
});
const deadLetters = createRoute({
  getParentRoute: () => destination,
  path: "dead-letters",
  component: lazyRouteComponent(() => import("./pages/destinations/DeadLettersPanel.tsx"), "DeadLettersPanel"),
});
const replayDestination = createRoute({
  getParentRoute: () => destination,
  path: "replay",
  component: lazyRouteComponent(() => import("./pages/destinations/ReplayPanel.tsx"), "ReplayPanel"),
});

const workspaces = createRoute({
  getParentRoute: () => workspace,
  path: "workspaces",
  component: lazyRouteComponent(() => import("./pages/workspaces/WorkspacesPage.tsx"), "WorkspacesPage"),
});
const newWorkspace = createRoute({
  getParentRoute: () => workspaces,
  path: "new",
  component: lazyRouteComponent(() => import("./pages/workspaces/CreateWorkspacePanel.tsx"), "CreateWorkspacePanel"),
});
const editWorkspace = createRoute({
  getParentRoute: () => workspaces,
  path: "$id/edit",
  component: lazyRouteComponent(() => import("./pages/workspaces/EditWorkspacePanel.tsx"), "EditWorkspacePanel"),
});
const deleteWorkspace = createRoute({
  getParentRoute: () => workspaces,
  path: "$id/delete",
  component: lazyRouteComponent(() => import("./pages/workspaces/DeleteWorkspaceDialog.tsx"), "DeleteWorkspaceDialog"),
});

const oneWorkspace = createRoute({
  getParentRoute: () => workspace,
  path: "workspaces/$id",
  component: lazyRouteComponent(() => import("./pages/workspaces/WorkspacePage.tsx"), "WorkspacePage"),
});
const workspaceBudgets = createRoute({
  getParentRoute: () => workspace,
  path: "workspaces/$id/budgets",
  component: lazyRouteComponent(() => import("./pages/workspaces/BudgetsPage.tsx"), "BudgetsPage"),
});
const workspaceCache = createRoute({
  getParentRoute: () => workspace,
  path: "workspaces/$id/embedding-cache",
  component: lazyRouteComponent(() => import("./pages/workspaces/CachePage.tsx"), "CachePage"),
});
const videoWebhook = createRoute({
  getParentRoute: () => workspace,
  path: "workspaces/$id/video-notifications",
  component: lazyRouteComponent(() => import("./pages/workspaces/VideoWebhookPage.tsx"), "VideoWebhookPage"),
});
const setVideoWebhook = createRoute({
  getParentRoute: () => videoWebhook,
  path: "address",
  component: lazyRouteComponent(() => import("./pages/workspaces/VideoWebhookPanel.tsx"), "VideoWebhookPanel"),
});
const setBudget = createRoute({
  getParentRoute: () => workspaceBudgets,
  path: "$interval",
  component: lazyRouteComponent(() => import("./pages/workspaces/BudgetPanel.tsx"), "BudgetPanel"),
});

const providers = createRoute({
  getParentRoute: () => workspace,
  path: "providers",
  component: lazyRouteComponent(() => import("./pages/providers/ProvidersPage.tsx"), "ProvidersPage"),
});
const newProvider = createRoute({
  getParentRoute: () => providers,
  path: "new",
  validateSearch: ProviderSearch,
  component: lazyRouteComponent(() => import("./pages/providers/CreateProviderPanel.tsx"), "CreateProviderPanel"),
});
const provider = createRoute({
  getParentRoute: () => workspace,
  path: "providers/$slug",
  component: lazyRouteComponent(() => import("./pages/providers/ProviderPage.tsx"), "ProviderPage"),
});
const editProvider = createRoute({
  getParentRoute: () => provider,
  path: "edit",
  component: lazyRouteComponent(() => import("./pages/providers/EditProviderPanel.tsx"), "EditProviderPanel"),
});
const deleteProvider = createRoute({
  getParentRoute: () => provider,
  path: "delete",
  component: lazyRouteComponent(() => import("./pages/providers/DeleteProviderDialog.tsx"), "DeleteProviderDialog"),
});
const pickModels = createRoute({
  getParentRoute: () => provider,
  path: "models/pick",
  component: lazyRouteComponent(() => import("./pages/providers/PickModelsPanel.tsx"), "PickModelsPanel"),
});
const newModel = createRoute({
  getParentRoute: () => provider,
  path: "models/new",
  component: lazyRouteComponent(() => import("./pages/providers/ModelPanel.tsx"), "NewModelPanel"),
});
const editModel = createRoute({
  getParentRoute: () => provider,
  path: "models/edit",
  validateSearch: ProviderSearch,
  component: lazyRouteComponent(() => import("./pages/providers/ModelPanel.tsx"), "EditModelPanel"),
});
const newByokKey = createRoute({
  getParentRoute: () => provider,
  path: "byok/new",
  component: lazyRouteComponent(() => import("./pages/providers/ByokPanel.tsx"), "NewByokPanel"),
});
const editByokKey = createRoute({
  getParentRoute: () => provider,
  path: "byok/$id",
  component: lazyRouteComponent(() => import("./pages/providers/ByokPanel.tsx"), "EditByokPanel"),
});

const guardrails = createRoute({
  getParentRoute: () => workspace,
  path: "guardrails",
  validateSearch: GuardrailsSearch,
  component: lazyRouteComponent(() => import("./pages/guardrails/GuardrailsPage.tsx"), "GuardrailsPage"),
});
const newGuardrail = createRoute({
  getParentRoute: () => guardrails,
  path: "new",
  component: lazyRouteComponent(() => import("./pages/guardrails/CreateGuardrailPanel.tsx"), "CreateGuardrailPanel"),
});
const guardrail = createRoute({
  getParentRoute: () => workspace,
  path: "guardrails/$id",
  component: lazyRouteComponent(() => import("./pages/guardrails/GuardrailPage.tsx"), "GuardrailPage"),
});
const editGuardrail = createRoute({
  getParentRoute: () => guardrail,
  path: "edit",
  component: lazyRouteComponent(() => import("./pages/guardrails/EditGuardrailPanel.tsx"), "EditGuardrailPanel"),
});
const deleteGuardrail = createRoute({
  getParentRoute: () => guardrail,
  path: "delete",
  component: lazyRouteComponent(() => import("./pages/guardrails/DeleteGuardrailDialog.tsx"), "DeleteGuardrailDialog"),
});
const assignKeys = createRoute({
  getParentRoute: () => guardrail,
  path: "assign-keys",
  component: lazyRouteComponent(() => import("./pages/guardrails/AssignKeysPanel.tsx"), "AssignKeysPanel"),
});
const assignCreators = createRoute({
  getParentRoute: () => guardrail,
  path: "assign-creators",
  component: lazyRouteComponent(() => import("./pages/guardrails/AssignCreatorsPanel.tsx"), "AssignCreatorsPanel"),
});

const presets = createRoute({
  getParentRoute: () => workspace,
  path: "presets",
  validateSearch: PresetsSearch,
  component: lazyRouteComponent(() => import("./pages/presets/PresetsPage.tsx"), "PresetsPage"),
});
const newPreset = createRoute({
  getParentRoute: () => presets,
  path: "new",
  component: lazyRouteComponent(() => import("./pages/presets/CreatePresetPanel.tsx"), "CreatePresetPanel"),
});
const preset = createRoute({
  getParentRoute: () => workspace,
  path: "presets/of/$slug",
  validateSearch: PresetSearch,
  component: lazyRouteComponent(() => import("./pages/presets/PresetPage.tsx"), "PresetPage"),
});
const editPreset = createRoute({
  getParentRoute: () => preset,
  path: "edit",
  component: lazyRouteComponent(() => import("./pages/presets/EditPresetPanel.tsx"), "EditPresetPanel"),
});
const presetSettings = createRoute({
  getParentRoute: () => preset,
  path: "settings",
  component: lazyRouteComponent(() => import("./pages/presets/PresetSettingsPanel.tsx"), "PresetSettingsPanel"),
});
const deletePreset = createRoute({
  getParentRoute: () => preset,
  path: "delete",
  component: lazyRouteComponent(() => import("./pages/presets/DeletePresetDialog.tsx"), "DeletePresetDialog"),
});

const files = createRoute({
  getParentRoute: () => workspace,
  path: "files",
  component: lazyRouteComponent(() => import("./pages/files/FilesPage.tsx"), "FilesPage"),
});
const deleteFile = createRoute({
  getParentRoute: () => files,
  path: "$id/delete",
  component: lazyRouteComponent(() => import("./pages/files/DeleteFileDialog.tsx"), "DeleteFileDialog"),
});

const batches = createRoute({
  getParentRoute: () => workspace,
  path: "batches",
  component: lazyRouteComponent(() => import("./pages/batches/BatchesPage.tsx"), "BatchesPage"),
});
// its page shows the panel
const batch = createRoute({ getParentRoute: () => batches, path: "$id" });

const models = createRoute({
  getParentRoute: () => workspace,
  path: "models",
  validateSearch: ModelsSearch,
  component: lazyRouteComponent(() => import("./pages/models/ModelsPage.tsx"), "ModelsPage"),
});
const model = createRoute({
  getParentRoute: () => workspace,
  path: "models/$author/$slug",
  component: lazyRouteComponent(() => import("./pages/models/ModelPage.tsx"), "ModelPage"),
});
const canary = createRoute({
  getParentRoute: () => model,
  path: "watch/$provider",
  component: lazyRouteComponent(() => import("./pages/models/CanaryPanel.tsx"), "CanaryPanel"),
});
const changePlan = createRoute({
  getParentRoute: () => workspace,
  path: "models/$author/$slug/change",
  validateSearch: PlanSearch,
  component: lazyRouteComponent(() => import("./pages/models/ChangePlanPage.tsx"), "ChangePlanPage"),
});

const calls = createRoute({
  getParentRoute: () => workspace,
  path: "calls",
  validateSearch: CallsSearch,
  component: lazyRouteComponent(() => import("./pages/calls/CallsPage.tsx"), "CallsPage"),
});
const oneCall = createRoute({
  getParentRoute: () => workspace,
  path: "calls/$call",
  component: lazyRouteComponent(() => import("./pages/calls/CallPage.tsx"), "CallPage"),
});

const credits = createRoute({
  getParentRoute: () => workspace,
  path: "credits",
  component: lazyRouteComponent(() => import("./pages/credits/CreditsPage.tsx"), "CreditsPage"),
});
const addCredits = createRoute({
  getParentRoute: () => credits,
  path: "add",
  component: lazyRouteComponent(() => import("./pages/credits/AddCreditsPanel.tsx"), "AddCreditsPanel"),
});

const playground = createRoute({
  getParentRoute: () => workspace,
  path: "playground",
  validateSearch: PlaygroundSearch,
  component: lazyRouteComponent(() => import("./pages/playground/PlaygroundPage.tsx"), "PlaygroundPage"),
});

const playgroundChat = createRoute({
  getParentRoute: () => workspace,
  path: "playground/chat",
  validateSearch: ChatSearch,
  component: lazyRouteComponent(() => import("./pages/playground-chat/ChatPage.tsx"), "ChatPage"),
});

const audit = createRoute({
  getParentRoute: () => workspace,
  path: "audit",
  validateSearch: z.object({
    actor: text,
    action: text,
    target_type: text,
    target_id: text,
    request_id: text,
    since: bound,
    until: bound,
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, params, deps }) => {
    const id = knownWorkspaceId(client, params.workspace);
    if (id !== undefined) void client.prefetchInfiniteQuery(auditPages(deps, id));
  },
  component: lazyRouteComponent(() => import("./pages/audit/AuditPage.tsx"), "AuditPage"),
});

const tree = root.addChildren([
  signIn,
  signOut,
  authorizeApp,
  signedIn.addChildren([
    home,
    workspace.addChildren([
      overview,
      usage,
      keys.addChildren([newKey]),
      key.addChildren([editKey, replaceKey]),
      managementKeys.addChildren([newManagementKey, editManagementKey, replaceManagementKey]),
      destinations.addChildren([newDestination, findEvent]),
      newDestinationOf,
      destination.addChildren([deleteDestination, deadLetters, replayDestination]),
      workspaces.addChildren([newWorkspace, editWorkspace, deleteWorkspace]),
      oneWorkspace,
      workspaceBudgets.addChildren([setBudget]),
      workspaceCache,
      videoWebhook.addChildren([setVideoWebhook]),
      providers.addChildren([newProvider]),
      provider.addChildren([editProvider, deleteProvider, pickModels, newModel, editModel, newByokKey, editByokKey]),
      files.addChildren([deleteFile]),
      batches.addChildren([batch]),
      guardrails.addChildren([newGuardrail]),
      guardrail.addChildren([editGuardrail, deleteGuardrail, assignKeys, assignCreators]),
      presets.addChildren([newPreset]),
      preset.addChildren([editPreset, presetSettings, deletePreset]),
      models,
      model.addChildren([canary]),
      changePlan,
      playground,
      playgroundChat,
      calls,
      oneCall,
      credits.addChildren([addCredits]),
      audit,
    ]),
  ]),
]);

export function createConsoleRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: tree,
    basepath: basePath() || "/",
    context: { client },
    defaultPreload: "intent",
    defaultPreloadDelay: 50,
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageError,
    defaultOnCatch: reloadForMissingCode,
    scrollRestoration: true,
  });
  keepTrail(router);
  router.subscribe("onBeforeLoad", ({ pathChanged }) => {
    if (pathChanged) drawer.set(false);
  });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
