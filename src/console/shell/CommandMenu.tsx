import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import * as Dialog from "@radix-ui/react-dialog";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { listAudit } from "#contract/audit.ts";
import { listKeys, type KeyRecord } from "#contract/keys.ts";
import { apiPath } from "../api/base.ts";
import { useNow } from "../api/clock.ts";
import { useReachable } from "../api/connectivity.ts";
import { query } from "../api/query.ts";
import { createStore, useStore } from "../api/store.ts";
import { everyProvider } from "../api/providers.ts";
import { everyDestination } from "../api/destinations.ts";
import { everyGuardrail } from "../api/guardrails.ts";
import { everyPreset } from "../api/presets.ts";
import { everyWorkspace } from "../api/workspaces.ts";
import { useDebounced } from "../form/use-debounced.ts";
import { allWorkspaces, foundPart, inWorkspace, paths, workspaceInPath } from "../paths.ts";
import { setPreference } from "../preferences.ts";
import { useReturnFocus } from "../ui/return-focus.ts";
import { keyDetail } from "./key-detail.ts";
import { closestFirst, isOfWorkspace, matches } from "./key-matches.ts";
import { sections } from "./navigation.ts";
import { Picker, type PickerGroup, type PickerItem } from "./Picker.tsx";
import { filtersOfRefused, isCallId, isRequestId, useCallsOf } from "./request-lookup.ts";
import { refusedReason } from "./refused-messages.ts";
import { commandMenu, openShortcuts, pageCalls } from "./overlays.ts";
import { useSignOut } from "./sign-out.ts";
import { workspaceItems } from "./workspace-item.ts";
import { useWorkspace } from "./workspace.ts";

const searchAfterMs = 120;

/** Go anywhere and do anything by its name: pages, actions, workspaces, and keys by name, label or hash prefix. */
export function CommandMenu() {
  const shown = useStore(commandMenu);
  const focus = useReturnFocus();
  return (
    <Dialog.Root open={shown} onOpenChange={(next) => commandMenu.set(next)}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="fixed top-[12vh] left-1/2 z-31 flex max-h-[70vh] w-[560px] max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col overflow-hidden rounded-3 border border-line-2 bg-bg-0 shadow-menu"
        >
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <Commands done={() => commandMenu.set(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({ done }: { done: () => void }) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const keys = useKeySearch(wanted);
  const ids = useIdItems(text.trim());
  const commands = useCommands(wanted);
  const pick = (item: PickerItem): PickerItem => ({
    ...item,
    pick: () => {
      done();
      item.pick();
    },
  });
  const recent = useStore(recentPicks);
  const found = [
    ...keys.groups,
    useDestinationItems(wanted),
    useGuardrailItems(wanted),
    usePresetItems(wanted),
    ...useProviderItems(wanted),
    ...ids.groups,
  ];
  const groups = [
    { label: "Recent", items: wanted === "" ? recent : [] },
    ...commands.map((group) => matching(group, wanted)),
    ...found.map((group) => ({ ...group, items: group.items.map(remembered) })),
  ]
    .filter((group) => group.items.length > 0)
    .map((group) => ({ ...group, items: group.items.map(pick) }));
  return (
    <Picker
      label="Search or jump to"
      placeholder="A page, an action, a key, a preset, a model, a call"
      text={text}
      onText={setText}
      groups={groups}
      busy={keys.busy || ids.busy}
      none={`${keys.failed ? "The keys could not be searched, and nothing else" : "Nothing"} is called “${text.trim()}”. Keys are found by name, label or the beginning of their hash, calls by their whole id (gen-…) or request id (req-…).`}
    />
  );
}

function openGuides(): void {
  window.location.assign(apiPath("/docs/guides"));
}

const mostRecent = 5;
const mostKeys = 8;
/** What only this menu reads is none of the page's calls. */
const unlisted = { meta: {} };

/** What was gone to from here in this tab, the last one first. */
const recentPicks = createStore<readonly PickerItem[]>([]);

/** The same item, which is found under "Recent" from then on. */
function remembered(item: PickerItem): PickerItem {
  return {
    ...item,
    pick: () => {
      const own = { ...item, id: `recent-${item.id}` };
      recentPicks.set([own, ...recentPicks.get().filter(({ id }) => id !== own.id)].slice(0, mostRecent));
      item.pick();
    },
  };
}

function matching(group: PickerGroup, wanted: string): PickerGroup {
  const isFound = ({ label, words = "" }: PickerItem) => `${label} ${words}`.toLowerCase().includes(wanted);
  return { ...group, items: group.items.filter(isFound) };
}

function useCommands(wanted: string): readonly PickerGroup[] {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const signOut = useSignOut();
  const go = (to: string) => () => void navigate({ to });
  const { pathname } = useLocation();
  const settingsOf = ({ id, name }: { id: string; name: string }): PickerItem[] => [
    {
      id: `budgets-${id}`,
      label: `Budgets of ${name}`,
      words: "limit spending team",
      pick: go(paths.workspaceBudgets(path, id)),
    },
    {
      id: `cache-${id}`,
      label: `Embedding cache of ${name}`,
      words: "durable vectors",
      pick: go(paths.workspaceCache(path, id)),
    },
    {
      id: `videos-${id}`,
      label: `Video notifications of ${name}`,
      words: "webhook",
      pick: go(paths.videoWebhook(path, id)),
    },
  ];
  return [
    {
      label: "Go to",
      items: [
        ...sections.map((section) => ({
          id: `go-${section.name}`,
          label: section.name,
          ...(section.words !== undefined && { words: section.words }),
          hint: `g ${section.letter}`,
          pick: go(section.path(path)),
        })),
        {
          id: "go-trace",
          label: "Trace a call",
          words: "event forwarded delivered destination missing",
          pick: go(paths.findEvent(path)),
        },
        {
          id: "go-found",
          label: "Found a key?",
          words: "leak leaked exposed github lost",
          pick: () => void navigate({ to: paths.keys(path), hash: foundPart }),
        },
        { id: "go-guides", label: "Read the guides", words: "docs documentation help manual", pick: openGuides },
      ],
    },
    {
      label: "Create",
      items: reachable
        ? [
            { id: "create-key", label: "Create an API key", words: "new token", pick: go(paths.newKey(path)) },
            { id: "create-destination", label: "Add a destination", pick: go(paths.newDestination(path)) },
            { id: "create-guardrail", label: "Create a guardrail", pick: go(paths.newGuardrail(path)) },
            { id: "create-preset", label: "Create a preset", pick: go(paths.newPreset(path)) },
            {
              id: "create-management-key",
              label: "Create a management key",
              pick: go(paths.newManagementKey(path)),
            },
            { id: "create-workspace", label: "Create a workspace", pick: go(paths.newWorkspace(path)) },
            { id: "create-provider", label: "Add a provider", pick: go(paths.newProvider(path)) },
            { id: "create-credits", label: "Add credits", words: "money", pick: go(paths.addCredits(path)) },
          ]
        : [],
    },
    {
      label: "Workspaces",
      items: workspaceItems(workspaces, path, (workspace) => void navigate({ to: inWorkspace(pathname, workspace) })),
    },
    { label: "Of a workspace", items: wanted === "" ? [] : workspaces.flatMap(settingsOf) },
    {
      label: "Settings",
      items: [
        { id: "theme-light", label: "Light theme", pick: () => setPreference("theme", "light") },
        { id: "theme-dark", label: "Dark theme", pick: () => setPreference("theme", "dark") },
        { id: "theme-system", label: "The system's theme", pick: () => setPreference("theme", "system") },
        { id: "page-calls", label: "View this page as API calls", pick: () => pageCalls.set(true) },
        { id: "shortcuts", label: "List the shortcuts", hint: "?", pick: openShortcuts },
        { id: "sign-out", label: "Sign out", pick: signOut },
      ],
    },
  ];
}

/** Destinations by name, among those that were read for the sidebar; not shown before something is typed. */
function useDestinationItems(wanted: string): PickerGroup {
  const navigate = useNavigate();
  const { path, id } = useWorkspace();
  const { data = [] } = useQuery({ ...everyDestination(id ?? ""), enabled: id !== undefined });
  const named = wanted === "" ? [] : data.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, 8);
  return {
    label: "Destinations",
    items: named.map(({ id: one, name, type }) => ({
      id: `destination-${one}`,
      label: name,
      detail: type,
      pick: () => void navigate({ to: paths.destination(path, one) }),
    })),
  };
}

/** Guardrails by name; not shown before something is typed. */
function useGuardrailItems(wanted: string): PickerGroup {
  const navigate = useNavigate();
  const { path, id, record } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const read = useQuery({
    ...everyGuardrail(id ?? "", record),
    enabled: id !== undefined && wanted !== "",
    ...unlisted,
  });
  const named = wanted === "" ? [] : (read.data?.rows ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
  return {
    label: "Guardrails",
    items: named.slice(0, 8).map(({ id: one, name, workspace_id: own }) => {
      const home = workspaces.find((workspace) => workspace.id === own);
      return {
        id: `guardrail-${one}`,
        label: name,
        ...(path === allWorkspaces && home !== undefined && { detail: `in ${home.name}` }),
        pick: () => void navigate({ to: paths.guardrail(home === undefined ? path : workspaceInPath(home), one) }),
      };
    }),
  };
}

/** Presets by name or slug, also as calls name them; not shown before something is typed. */
function usePresetItems(wanted: string): PickerGroup {
  const navigate = useNavigate();
  const { path, id } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const { data } = useQuery({ ...everyPreset(id ?? ""), enabled: id !== undefined && wanted !== "" });
  const named = (wanted === "" ? [] : (data?.rows ?? []))
    .filter(({ name, slug }) => name.toLowerCase().includes(wanted) || `@preset/${slug}`.includes(wanted))
    .slice(0, 8);
  return {
    label: "Presets",
    items: named.map(({ id: one, name, slug, workspace_id: own }) => {
      const home = workspaces.find((workspace) => workspace.id === own);
      const place = home === undefined ? path : workspaceInPath(home);
      return {
        id: `preset-${one}`,
        label: name,
        detail: `@preset/${slug}${path === allWorkspaces && home !== undefined ? ` in ${home.name}` : ""}`,
        pick: () => void navigate({ to: paths.preset(place, slug) }),
      };
    }),
  };
}

/** Providers by name or slug, and the models that they serve by id or name. */
function useProviderItems(wanted: string): PickerGroup[] {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const providers = useQuery({ ...everyProvider, enabled: wanted !== "" }).data?.data ?? [];
  const has = (...texts: string[]) => wanted !== "" && texts.some((text) => text.toLowerCase().includes(wanted));
  const models = new Map(
    providers.flatMap((provider) =>
      provider.models.filter(({ id, name }) => has(id, name)).map((model) => [model.id, model] as const),
    ),
  );
  return [
    {
      label: "Providers",
      items: providers
        .filter(({ name, slug }) => has(name, slug))
        .slice(0, 8)
        .map(({ name, slug }) => ({
          id: `provider-${slug}`,
          label: name,
          detail: slug,
          pick: () => void navigate({ to: paths.provider(path, slug) }),
        })),
    },
    {
      label: "Models",
      items: [...models.values()].slice(0, 8).map(({ id, name }) => ({
        id: `model-${id}`,
        label: name,
        detail: id,
        pick: () => void navigate({ to: paths.model(path, id) }),
      })),
    },
  ];
}

/** What an id that was pasted whole leads to: a call, a refused call, or a change. */
function useIdItems(id: string): { groups: PickerGroup[]; busy: boolean } {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const asked = useDebounced(id, searchAfterMs);
  const isRequest = isRequestId(asked);
  const { calls, refused, isFetching } = useCallsOf(asked);
  const changes = useQuery({
    ...query(listAudit, { query: { request_id: asked, limit: "1" } }),
    enabled: isRequest,
    ...unlisted,
  });
  const settled = asked === id;
  const found = settled ? calls : [];
  const turned = settled ? refused : [];
  const changed = settled && isRequest ? (changes.data?.data ?? []) : [];
  const items = [
    ...found.map((call) => ({
      id: `call-${call.id}`,
      label: call.id,
      detail: call.model,
      pick: () => void navigate({ to: paths.call(path, call.id) }),
    })),
    ...turned.map((one) => ({
      id: `refused-${one.last_request_id}`,
      label: `Refused: ${refusedReason(one)}`,
      detail: one.key_name ?? "a deleted key",
      pick: () => void navigate({ to: paths.calls(path), search: filtersOfRefused(one) }),
    })),
  ];
  return {
    groups: [
      { label: "Calls", items },
      {
        label: "Audit log",
        items: changed.map((change) => ({
          id: `change-${change.id}`,
          label: `Change of ${change.target_name ?? change.target_id}`,
          detail: change.actor,
          pick: () => void navigate({ to: paths.audit(path), search: { request_id: asked } }),
        })),
      },
    ],
    busy: (isCallId(id) || isRequestId(id)) && (!settled || isFetching || changes.isFetching),
  };
}

interface KeySearch {
  groups: PickerGroup[];
  busy: boolean;
  failed: boolean;
}

/** Keys of the workspace, and of the others after them: "nothing is called that" has to be true of all. */
function useKeySearch(wanted: string): KeySearch {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { path, id } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const asked = useDebounced(wanted, searchAfterMs);
  const searchOf = (workspace: string) => ({
    ...query(listKeys, { query: { q: asked, limit: "8", include_disabled: "true", workspace_id: workspace } }),
    enabled: asked !== "",
    ...unlisted,
  });
  const searches = [useQuery(searchOf(id ?? allWorkspaces)), useQuery(searchOf(allWorkspaces))];
  // what is in the cache is there at once; what the server finds is added below it
  const known = wanted === "" ? [] : cachedKeys(client).filter((key) => matches(key, wanted));
  const found = asked === wanted ? searches.flatMap(({ data }) => data?.data ?? []) : [];
  const keys = closestFirst([...new Map([...known, ...found].map((key) => [key.hash, key])).values()], wanted);
  const now = useNow(60_000);
  const isOwn = (key: KeyRecord) => isOfWorkspace(key, id);
  // All workspaces together are told apart by their names; of one, only the others are.
  const nameOf = (key: KeyRecord, home: { name: string } | undefined) =>
    path === allWorkspaces ? workspaces.find((workspace) => workspace.id === key.workspace_id)?.name : home?.name;
  const itemOf = (key: KeyRecord): PickerItem => {
    const home = isOwn(key) ? undefined : workspaces.find((workspace) => workspace.id === key.workspace_id);
    return {
      id: `key-${key.hash}`,
      label: key.name,
      detail: keyDetail(key, keys, nameOf(key, home), now),
      pick: () => void navigate({ to: paths.key(home === undefined ? path : workspaceInPath(home), key.hash) }),
    };
  };
  const items = (of: readonly KeyRecord[]) => of.slice(0, mostKeys).map(itemOf);
  return {
    groups: [
      { label: "API keys", items: items(keys.filter(isOwn)) },
      { label: "API keys of other workspaces", items: items(keys.filter((key) => !isOwn(key))) },
    ],
    busy: wanted !== "" && (asked !== wanted || searches.some(({ isFetching }) => isFetching)),
    failed: searches.some(({ isError }) => isError),
  };
}

function cachedKeys(client: QueryClient): KeyRecord[] {
  const byHash = new Map<string, KeyRecord>();
  for (const [, data] of client.getQueriesData<{ data: KeyRecord[] } | { pages: { data: KeyRecord[] }[] }>({
    queryKey: [listKeys.name],
  })) {
    const lists = data === undefined ? [] : "pages" in data ? data.pages : [data];
    for (const key of lists.flatMap((list) => list.data)) byHash.set(key.hash, key);
  }
  return [...byHash.values()];
}
