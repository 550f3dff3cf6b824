import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listDetectedProviders } from "#contract/providers.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { Plate } from "../../ui/Plate.tsx";

/** Model servers on the gateway's machine that answer and are not in the list yet. Nothing while there are none. */
export function DetectedServers() {
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const { data } = useQuery({ ...query(listDetectedProviders, {}), staleTime: minuteMs, retry: false });
  return data?.data.map(({ preset, name, base_url, models }) => (
    <div
      key={base_url}
      role="status"
      className="mx-8 mb-4 flex max-w-180 flex-wrap items-center gap-3 border-l-3 border-accent-line bg-bg-2 px-3 py-2 max-md:mx-4"
    >
      <Plate name={name} />
      <p className="min-w-0 grow">
        <b className="font-semibold">{name} is running here too.</b>{" "}
        <span className="text-fg-2">
          It answers at <span className="mono">{new URL(base_url).host}</span>
          {models.length > 0 && ` with ${models.length} ${models.length === 1 ? "model" : "models"}: ${some(models)}`}.
        </span>
      </p>
      {reachable && (
        <Link to={paths.newProvider(path)} search={{ preset }} className={buttonClass({ size: "sm" })}>
          Add {name}
        </Link>
      )}
    </div>
  ));
}

function some(models: readonly string[]): string {
  const shown = models.slice(0, 3).join(", ");
  return models.length > 3 ? `${shown} and ${models.length - 3} more` : shown;
}
