import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { useWorkspace } from "./workspace.ts";
import { TabLabel, tabClass } from "../ui/Tabs.tsx";

const exactly = { exact: true, includeSearch: false };

/** The two halves of the playground, as links. */
export function PlaygroundTabs() {
  const { path } = useWorkspace();
  return (
    <nav aria-label="Playground" className="flex shrink-0 gap-4">
      <Link to={paths.playground(path)} activeOptions={exactly} className={tabClass}>
        <TabLabel>Embeddings</TabLabel>
      </Link>
      <Link to={paths.playgroundChat(path)} activeOptions={exactly} className={tabClass}>
        <TabLabel>Chat</TabLabel>
      </Link>
    </nav>
  );
}
