import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listDetectedProviders } from "#contract/providers.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../api/query.ts";
import { useReachable } from "../api/connectivity.ts";
import { counted } from "../format.ts";
import { paths } from "../paths.ts";
import { useWorkspace } from "./workspace.ts";
import { buttonClass } from "../ui/Button.tsx";
import { cx } from "../ui/cx.ts";
import { Plate } from "../ui/Plate.tsx";

interface DetectedServersProps {
  className?: string;
  /** says how the search goes as well, also where nothing is found */
  told?: boolean;
}

/** Model servers on the gateway's machine that answer and are not in the list yet. */
export function DetectedServers({ className, told = false }: DetectedServersProps) {
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const { data, isPending } = useQuery({ ...query(listDetectedProviders, {}), staleTime: minuteMs, retry: false });
  if (told && (data === undefined || data.data.length === 0)) {
    return (
      <p role="status" className={cx("text-12 text-fg-2", className)}>
        {isPending
          ? "Checking the gateway's machine…"
          : data === undefined
            ? "The gateway could not check. Try again later."
            : "No new server answered at the usual ports of Ollama, LM Studio, vLLM and llama.cpp."}
      </p>
    );
  }
  return data?.data.map(({ preset, name, base_url, models }) => (
    <div
      key={base_url}
      role="status"
      className={cx(
        "flex max-w-180 flex-wrap items-center gap-3 border-l-3 border-accent-line bg-bg-2 px-3 py-2",
        className,
      )}
    >
      <Plate name={name} />
      <p className="min-w-0 grow">
        <b className="font-semibold">{name} is running here too.</b>{" "}
        <span className="text-fg-2">
          It answers at <span className="mono">{new URL(base_url).host}</span>
          {models.length > 0 && ` with ${counted(models.length, "model")}: ${some(models)}`}.
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
