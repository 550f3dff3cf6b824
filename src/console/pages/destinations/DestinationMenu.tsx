import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import type { DestinationRecord } from "#contract/destinations.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu } from "../../ui/Menu.tsx";

/** @param dead how many calls were given up */
export function DestinationMenu({ destination, dead }: { destination: DestinationRecord; dead: number }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const { id, name } = destination;
  const go = (to: string) => () => void navigate({ to });
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${name}`}>
          <Ellipsis size={16} aria-hidden="true" />
        </IconButton>
      }
      items={[
        { label: "Edit", shortcut: "E", onSelect: go(paths.destination(path, id)) },
        {
          label: dead > 0 ? `Dead letters (${dead.toLocaleString("en-US")})` : "Dead letters",
          onSelect: go(paths.deadLetters(path, id)),
        },
        {
          label: "Replay from a point in time",
          disabledReason: reason,
          onSelect: go(paths.replayDestination(path, id)),
        },
        {
          label: "Change history",
          onSelect: () =>
            void navigate({ to: paths.audit(path), search: { target_type: "destination", target_id: id } }),
        },
        { kind: "line" },
        { label: "Delete", danger: true, disabledReason: reason, onSelect: go(paths.deleteDestination(path, id)) },
      ]}
    />
  );
}
