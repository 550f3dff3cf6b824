import * as Popover from "@radix-ui/react-popover";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { everyWorkspace } from "../api/workspaces.ts";
import { allWorkspaces, inWorkspace } from "../paths.ts";
import { workspaceItem } from "./CommandMenu.tsx";
import { Picker } from "./Picker.tsx";
import { useShortcut } from "./shortcuts.ts";
import { useWorkspace } from "./workspace.ts";

/** Which workspace one looks at. Choosing another keeps the section and changes the address. */
export function WorkspaceSwitcher() {
  const [open, setOpen] = useState(false);
  const { name } = useWorkspace();
  useShortcut("g w", "Switch the workspace", () => setOpen(true));
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="flex h-8 min-w-0 items-center gap-2 rounded-2 text-13 font-semibold text-fg-1">
        <span className="sr-only">Workspace: </span>
        <span className="truncate">{name}</span>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          aria-label="Switch the workspace"
          className="z-30 flex max-h-[min(420px,70vh)] w-80 max-w-[calc(100vw-32px)] flex-col overflow-hidden rounded-3 border border-line-2 bg-bg-0 shadow-menu"
        >
          <Choices done={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choices({ done }: { done: () => void }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [text, setText] = useState("");
  const { path } = useWorkspace();
  const list = useQuery(everyWorkspace);
  const wanted = text.trim().toLowerCase();
  const switchTo = (workspace: string) => () => {
    done();
    void navigate({ to: inWorkspace(pathname, workspace) });
  };
  const items = [
    { id: "workspace-all", label: "All workspaces", current: path === allWorkspaces, pick: switchTo(allWorkspaces) },
    ...(list.data ?? []).map((workspace) => workspaceItem(workspace, path, switchTo)),
  ].filter((item) => `${item.label} ${item.detail ?? ""}`.toLowerCase().includes(wanted));
  return (
    <Picker
      label="Workspace"
      placeholder="Find a workspace"
      text={text}
      onText={setText}
      groups={items.length > 0 ? [{ label: "Workspaces", items }] : []}
      busy={list.isPending}
      none={list.isError ? "The workspaces did not load." : `No workspace is called “${text.trim()}”.`}
    />
  );
}
