import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { minuteMs } from "#contract/time.ts";
import { apiPath } from "../api/base.ts";
import { health } from "../api/health.ts";
import { reachability } from "../api/connectivity.ts";
import { useNow } from "../api/clock.ts";
import { useStore } from "../api/store.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { Status } from "../ui/Status.tsx";
import { useFirstPageShown } from "./first-page.ts";
import { guideOf } from "./guide.ts";
import { openShortcuts } from "./overlays.ts";

/** The foot of the sidebar, the same on every page: help, the gateway's health, and the version for a bug report. */
export function GatewayFooter() {
  const pageShown = useFirstPageShown();
  const { pathname } = useLocation();
  const { data } = useQuery({ ...health, enabled: pageShown });
  return (
    <footer className="mt-auto grid justify-items-start gap-1 px-5 py-4 text-12 text-fg-3">
      <a href={apiPath(`/docs/${guideOf(pathname)}`)} className="flex min-h-6 items-center hover:text-fg-1">
        Help for this page
      </a>
      <a href={apiPath("/docs/guides")} className="flex min-h-6 items-center hover:text-fg-1">
        Docs
      </a>
      <button type="button" onClick={openShortcuts} className="flex min-h-6 items-center gap-2 hover:text-fg-1">
        Shortcuts <Kbd>?</Kbd>
      </button>
      <div className="pt-2">
        <Answering latencyMs={data?.latencyMs} />
      </div>
      <div className="flex min-h-7 items-center gap-1 font-mono text-[11px]/4">
        {data && (
          <>
            {data.version}
            <CopyButton text={data.version} label="Copy the version" />
          </>
        )}
      </div>
    </footer>
  );
}

function Answering({ latencyMs }: { latencyMs: number | undefined }) {
  const state = useStore(reachability);
  const now = useNow(10_000);
  if (!state.reachable) {
    const minutes = Math.floor((now.getTime() - state.lastAnswerAt) / minuteMs);
    return <Status kind="trouble" word={minutes < 1 ? "No answer" : `No answer for ${minutes} min`} />;
  }
  if (latencyMs === undefined) return <Status kind="unknown" word="Checking the gateway" />;
  return <Status kind="running" word={`Gateway answers, ${latencyMs} ms`} />;
}
