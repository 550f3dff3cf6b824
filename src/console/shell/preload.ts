import { useRouter } from "@tanstack/react-router";
import { useTimeout } from "../ui/use-timeout.ts";
import { sections } from "./navigation.ts";
import { useWorkspace } from "./workspace.ts";

const quietMs = 1_500;

/**
 * Fetches the code of the sidebar's pages, and what all forms share, once the first page has settled, so that going
 * there waits for data at most.
 */
export function usePreloadedSections(): void {
  const router = useRouter();
  const { path } = useWorkspace();
  const preload = () => {
    for (const section of sections.flat()) {
      for (const route of router.getMatchedRoutes(section.path(path))[0]) {
        // a file that does not come is fetched again, and reported, when it is needed
        router.loadRouteChunk(route)?.catch(() => undefined);
      }
    }
    import("../form/FormPanel.tsx").catch(() => undefined);
  };
  useTimeout(preload, quietMs, path);
}
