import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useChildMatches, useNavigate } from "@tanstack/react-router";
import { Locate } from "lucide-react";
import { everyDestination } from "../../api/destinations.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { DestinationList, DestinationListSkeleton } from "./DestinationList.tsx";
import { KindGallery } from "./KindGallery.tsx";

/** Where calls are forwarded, and how delivery is going. */
export function DestinationsPage() {
  const { path, id } = useWorkspace();
  const { reachable } = useReachable();
  const navigate = useNavigate();
  const list = useQuery({ ...everyDestination(id ?? ""), enabled: id !== undefined });
  useShortcut("c", "Add a destination", () => void navigate({ to: paths.newDestination(path) }), reachable);
  return (
    <>
      <PageHeader
        title="Destinations"
        actions={
          <>
            <Link to={paths.findEvent(path)} className={buttonClass({ variant: "quiet" })}>
              <Locate size={14} aria-hidden="true" />
              Trace a call
            </Link>
            <ButtonLink to={paths.newDestination(path)} variant="primary" shortcut="C">
              Add destination
            </ButtonLink>
          </>
        }
      />
      <p className="max-w-190 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        Gatehouse sends an event for each call to these systems. A destination never sees your provider credentials or
        key values.
      </p>
      <QueryBoundary query={list} what="the destinations" skeleton={<DestinationListSkeleton />}>
        {(destinations) =>
          destinations.length === 0 ? <NoDestinations /> : <DestinationList destinations={destinations} />
        }
      </QueryBoundary>
      <Outlet />
    </>
  );
}

function NoDestinations() {
  const { path } = useWorkspace();
  // the panel to add one has the same gallery
  const alone = useChildMatches().length === 0;
  return (
    <div className="max-w-250 px-8 py-4 max-md:px-4">
      <h2 className="text-16">No destinations yet</h2>
      <p className="max-w-140 pt-1 pb-5 text-fg-2">
        Choose a system to send an event to for each call. Prompts and responses stay in the gateway until you say
        otherwise, and the form previews the exact payload before anything is sent.
      </p>
      {alone && <KindGallery workspace={path} columns={3} />}
    </div>
  );
}
