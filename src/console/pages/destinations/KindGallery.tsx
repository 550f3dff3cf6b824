import { Link } from "@tanstack/react-router";
import { destinationKinds } from "#contract/destination-kinds.ts";
import { paths } from "../../paths.ts";
import { cx } from "../../ui/cx.ts";
import { Plate } from "../../ui/Plate.tsx";
import { allKinds, plates } from "./kinds.ts";

/** The 17 kinds with a line each on what is particular to it. */
export function KindGallery({ workspace, columns }: { workspace: string; columns: 1 | 3 }) {
  return (
    <>
      <p className="pb-2 text-12 text-fg-3">Each trace holds one call, named by OpenTelemetry's GenAI conventions.</p>
      <ul
        aria-label="Kinds of destination"
        className={cx(
          "grid gap-x-8",
          columns === 3 ? "grid-cols-3 max-xl:grid-cols-2 max-md:grid-cols-1" : "grid-cols-1",
        )}
      >
        {allKinds.map((kind) => (
          <li key={kind} className="border-b border-line">
            <Link
              to={paths.newDestinationOf(workspace, kind)}
              className="flex min-h-14 items-center gap-3 rounded-1 py-2 -outline-offset-2 hover:bg-bg-2"
            >
              <Plate name={plates[kind]} />
              <span className="grid min-w-0">
                <span className="font-semibold">{destinationKinds[kind].title}</span>
                <span className="text-12 text-fg-3">{destinationKinds[kind].sends}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
