import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { everyWorkspace } from "../api/workspaces.ts";
import { paths, workspaceInPath } from "../paths.ts";
import { tip } from "../ui/Tooltip.tsx";
import { useWorkspace } from "./workspace.ts";

interface GroupNameProps {
  by: "key" | "model" | "provider" | "workspace" | "creator" | "session" | "app";
  id: string;
  name: string | null;
}

/** What a row or a series of usage counts, as a link to its page where it has one. */
export function GroupName({ by, id, name }: GroupNameProps): ReactNode {
  const { path } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data;
  const text = name ?? id;
  // what no longer exists has no page
  const to =
    by === "model"
      ? paths.model(path, id)
      : by === "key" && name !== null
        ? paths.key(path, id)
        : by === "provider" && name !== null
          ? paths.provider(path, id)
          : undefined;
  const workspace = by === "workspace" ? workspaces?.find((one) => one.id === id) : undefined;
  const target = workspace === undefined ? to : paths.overview(workspaceInPath(workspace));
  if (target === undefined) {
    return (
      <span dir="auto" {...tip(text)}>
        {text}
      </span>
    );
  }
  return (
    <Link to={target} dir="auto" className="hover:underline" {...tip(text)}>
      {text}
    </Link>
  );
}
