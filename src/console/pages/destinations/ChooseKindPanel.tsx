import { useNavigate } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Panel } from "../../ui/Panel.tsx";
import { KindGallery } from "./KindGallery.tsx";

/** The first question of a new destination: which system. */
export function ChooseKindPanel() {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  return (
    <Panel
      title="Add a destination"
      description="Which system do the records go to?"
      onDismiss={() => void navigate({ to: paths.destinations(path) })}
      outside="dismiss"
    >
      <KindGallery workspace={path} columns={1} />
    </Panel>
  );
}
