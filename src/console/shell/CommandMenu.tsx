import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import * as Dialog from "@radix-ui/react-dialog";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { listKeys } from "#contract/keys.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { useReachable } from "../api/reachable.ts";
import { query } from "../api/query.ts";
import { useStore } from "../api/store.ts";
import { everyDestination } from "../api/destinations.ts";
import { everyWorkspace } from "../api/workspaces.ts";
import { allWorkspaces, inWorkspace, paths } from "../paths.ts";
import { setPreference } from "../preferences.ts";
import { useReturnFocus } from "../ui/return-focus.ts";
import { sections } from "./navigation.ts";
import { Picker } from "./Picker.tsx";
import type { PickerGroup, PickerItem } from "./Picker.tsx";
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
  const commands = useCommands();
  const pick = (item: PickerItem): PickerItem => ({
    ...item,
    pick: () => {
      done();
      item.pick();
    },
  });
  const destinations = useDestinationItems(wanted);
  const groups = [...commands.map((group) => matching(group, wanted)), keys.group, destinations]
    .filter((group) => group.items.length > 0)
    .map((group) => ({ ...group, items: group.items.map(pick) }));
  return (
    <Picker
      label="Search or jump to"
      placeholder="A page, an action, a workspace, a key, a destination"
      text={text}
      onText={setText}
      groups={groups}
      busy={keys.busy}
      none={`Nothing is called “${text.trim()}”. Keys are found by name, label or the beginning of their hash.`}
    />
  );
}

function matching(group: PickerGroup, wanted: string): PickerGroup {
  return { ...group, items: group.items.filter((item) => item.label.toLowerCase().includes(wanted)) };
}

function useCommands(): readonly PickerGroup[] {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const signOut = useSignOut();
  const go = (to: string) => () => void navigate({ to });
  const { pathname } = useLocation();
  return [
    {
      label: "Go to",
      items: sections.flat().map((section) => ({
        id: `go-${section.name}`,
        label: section.name,
        hint: `g ${section.letter}`,
        pick: go(section.path(path)),
      })),
    },
    {
      label: "Create",
      items: reachable
        ? [
            { id: "create-key", label: "Create an API key", pick: go(paths.newKey(path)) },
            { id: "create-destination", label: "Add a destination", pick: go(paths.newDestination(path)) },
            { id: "create-workspace", label: "Create a workspace", pick: go(paths.newWorkspace(path)) },
            { id: "create-provider", label: "Add a provider", pick: go(paths.newProvider(path)) },
          ]
        : [],
    },
    {
      label: "Workspaces",
      items: workspaceItems(workspaces, path, (workspace) => void navigate({ to: inWorkspace(pathname, workspace) })),
    },
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

function useKeySearch(wanted: string): { group: PickerGroup; busy: boolean } {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { path, id } = useWorkspace();
  const asked = useLater(wanted, searchAfterMs);
  const search = useQuery({
    ...query(listKeys, {
      query: { q: asked, limit: "8", include_disabled: "true", workspace_id: id ?? allWorkspaces },
    }),
    enabled: asked !== "",
  });
  // what is in the cache is there at once; what the server finds is added below it
  const known =
    wanted === ""
      ? []
      : cachedKeys(client)
          .filter((key) => matches(key, wanted))
          .slice(0, 8);
  const hashes = new Set(known.map((key) => key.hash));
  const found = asked === wanted ? (search.data?.data ?? []).filter((key) => !hashes.has(key.hash)) : [];
  const items = [...known, ...found].map((key) => ({
    id: `key-${key.hash}`,
    label: key.name,
    detail: key.label,
    pick: () => void navigate({ to: paths.key(path, key.hash) }),
  }));
  return { group: { label: "API keys", items }, busy: wanted !== "" && (asked !== wanted || search.isFetching) };
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

function matches(key: KeyRecord, wanted: string): boolean {
  return (
    key.name.toLowerCase().includes(wanted) || key.label.toLowerCase().includes(wanted) || key.hash.startsWith(wanted)
  );
}

/** The value, once it has not changed for `afterMs`. */
function useLater(value: string, afterMs: number): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return later;
}
