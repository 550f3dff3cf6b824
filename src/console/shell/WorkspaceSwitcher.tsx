import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { useId, useRef, useState } from "react";
import { everyWorkspace } from "../api/workspaces.ts";
import { inWorkspace } from "../paths.ts";
import { positionPopover } from "../ui/position-popover.ts";
import { Picker } from "./Picker.tsx";
import { useShortcut } from "./shortcuts.ts";
import { workspaceItems } from "./workspace-item.ts";
import { useWorkspace } from "./workspace.ts";

/**
 * Which workspace one looks at. Choosing another keeps the section and changes the address. The platform's own popover:
 * it closes on Escape and on a click elsewhere, and gives the focus back.
 */
export function WorkspaceSwitcher() {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const { name } = useWorkspace();
  useShortcut("g w", "Switch the workspace", () => sheet.current?.showPopover());
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={open}
        className="flex h-8 min-w-0 items-center gap-2 rounded-2 text-13 font-semibold text-fg-1"
      >
        <span className="sr-only">Workspace: </span>
        <span className="truncate">{name}</span>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
      </button>
      <div
        ref={sheet}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Switch the workspace"
        onToggle={(event) => {
          const opened = event.newState === "open";
          setOpen(opened);
          if (opened && sheet.current && button.current) {
            positionPopover(sheet.current, button.current.getBoundingClientRect(), { gap: 6, align: "start" });
          }
        }}
        className="fixed inset-auto m-0 max-h-[min(420px,70vh)] w-80 max-w-[calc(100vw-32px)] flex-col overflow-hidden rounded-3 border border-line-2 bg-bg-0 p-0 text-fg-1 shadow-menu open:flex"
      >
        {open && <Choices done={() => sheet.current?.hidePopover()} />}
      </div>
    </>
  );
}

function Choices({ done }: { done: () => void }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [text, setText] = useState("");
  const { path } = useWorkspace();
  const list = useQuery(everyWorkspace);
  const wanted = text.trim().toLowerCase();
  const items = workspaceItems(list.data ?? [], path, (workspace) => {
    done();
    void navigate({ to: inWorkspace(pathname, workspace) });
  }).filter((item) => `${item.label} ${item.detail ?? ""}`.toLowerCase().includes(wanted));
  return (
    <Picker
      autoFocus
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
