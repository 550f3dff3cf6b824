import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { useWorkspace } from "./workspace.ts";
import { cx } from "../ui/cx.ts";
import { TabLabel, tabClass } from "../ui/Tabs.tsx";

const exactly = { exact: true, includeSearch: false };

/** The two halves of the playground, as links. @param compact on a phone the other half alone, on the line of a field */
export function PlaygroundTabs({ compact = false }: { compact?: boolean }) {
  const { path } = useWorkspace();
  return (
    <nav aria-label="Playground" className={cx("flex shrink-0 gap-4", compact && "max-md:*:aria-[current]:hidden")}>
      <Link to={paths.playground(path)} activeOptions={exactly} className={tabClass}>
        <TabLabel>Embeddings</TabLabel>
      </Link>
      <Link to={paths.playgroundChat(path)} activeOptions={exactly} className={tabClass}>
        <TabLabel>Chat</TabLabel>
      </Link>
    </nav>
  );
}
