import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Panel } from "../../ui/Panel.tsx";
import { KindGallery } from "./KindGallery.tsx";

/** The first question of a new destination: which system. */
export function ChooseKindPanel() {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  return (
    <Panel
      title="Add a destination"
      description="Which system should events go to?"
      onDismiss={() => closePanel(paths.destinations(path))}
      outside="dismiss"
    >
      <KindGallery workspace={path} columns={1} />
    </Panel>
  );
}
