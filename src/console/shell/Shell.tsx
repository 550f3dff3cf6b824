import { Outlet, useNavigate, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useSession } from "../api/session.ts";
import { paths } from "../paths.ts";
import { clearToasts, toast } from "../ui/toast.ts";
import { useTimeout } from "../ui/use-timeout.ts";
import { useFirstPage, useFirstPageShown } from "./first-page.ts";
import { sections } from "./navigation.ts";
import { commandMenu, openShortcuts } from "./overlays.ts";
import { useShortcut, useShortcutKeys } from "./shortcuts.ts";
import { Sidebar } from "./Sidebar.tsx";
import { TopBar } from "./TopBar.tsx";
import { UnreachableBar } from "./UnreachableBar.tsx";
import { useWorkspace } from "./workspace.ts";

const Overlays = lazy(async () => ({ default: (await import("./Overlays.tsx")).Overlays }));

/** The frame around every page of a signed-in person. */
export function Shell() {
  useShortcutKeys();
  useFirstPage();
  usePreloadedSections();
  const signedOut = useLeaveWhenSignedOut();
  const pageShown = useFirstPageShown();
  useShortcut("mod+k", "Search or jump to", () => commandMenu.set(!commandMenu.get()));
  useShortcut("?", "List the shortcuts", openShortcuts);
  if (signedOut) return null;
  return (
    <div className="min-h-screen lg:grid lg:grid-cols-[200px_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-40 -translate-y-16 rounded-2 bg-ink px-3 py-1.5 text-13 text-on-ink focus:translate-y-0"
      >
        Skip to the content
      </a>
      <div className="sticky top-0 h-screen overflow-y-auto border-r border-line max-lg:hidden">
        <Sidebar />
      </div>
      <div className="flex min-w-0 flex-col">
        <div className="sticky top-0 z-10">
          <TopBar />
          <UnreachableBar />
        </div>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 pt-6 outline-none">
          <Outlet />
        </main>
      </div>
      {sections.map((section) => (
        <GoTo key={section.letter} {...section} />
      ))}
      {pageShown && (
        <Suspense>
          <Overlays />
        </Suspense>
      )}
    </div>
  );
}

function GoTo({ name, letter, path }: { name: string; letter: string; path: (workspace: string) => string }) {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  useShortcut(`g ${letter}`, `Go to ${name}`, () => void navigate({ to: path(workspace.path) }));
  return null;
}

/** In another tab, that is: here it is a page of its own. No data stays on screen, and signing in leads back. */
function useLeaveWhenSignedOut(): boolean {
  const router = useRouter();
  const { state } = useSession();
  // not a <Navigate>: that one goes before the forms that leave the page have let go of their guards
  useEffect(() => {
    if (state !== "signed-out") return;
    clearToasts();
    toast({ message: "You signed out in another tab." });
    void router.navigate({ to: paths.signIn(), search: { to: router.state.location.href } });
  }, [state, router]);
  return state === "signed-out";
}

const quietMs = 1_500;

/**
 * Fetches the code of the sidebar's pages, and what all forms share, once the first page has settled, so that going
 * there waits for data at most.
 */
function usePreloadedSections(): void {
  const router = useRouter();
  const { path } = useWorkspace();
  const preload = () => {
    for (const section of sections) {
      for (const route of router.getMatchedRoutes(section.path(path))[0]) {
        // a file that does not come is fetched again, and reported, when it is needed
        router.loadRouteChunk(route)?.catch(() => undefined);
      }
    }
    import("../form/FormPanel.tsx").catch(() => undefined);
  };
  useTimeout(preload, useFirstPageShown() ? quietMs : null, path);
}
