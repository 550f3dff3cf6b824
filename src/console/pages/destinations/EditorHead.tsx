import { Link } from "@tanstack/react-router";
import type { DestinationType } from "#contract/destination-kinds.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import type { DestinationHealth } from "#contract/forwarding.ts";
import { useNow } from "../../api/clock.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Status } from "../../ui/Status.tsx";
import { DestinationMenu } from "./DestinationMenu.tsx";
import { DestinationSwitch } from "./DestinationSwitch.tsx";
import { healthSince, healthWords } from "./health.ts";
import { kindTitle } from "./kinds.ts";

interface EditorHeadProps {
  type: DestinationType;
  base: DestinationRecord | null;
  /** it was deleted while it was open: what it did is over */
  gone: boolean;
  health: DestinationHealth | undefined;
  healthFailed: boolean;
}

export function EditorHead({ type, base, gone, health, healthFailed }: EditorHeadProps) {
  const { path } = useWorkspace();
  const now = useNow(5_000);
  const known = healthFailed ? undefined : health;
  return (
    <>
      <p className="px-8 text-12 text-fg-3 max-md:px-4">
        <Link to={paths.destinations(path)} className="rounded-1 hover:underline">
          Destinations
        </Link>{" "}
        /
      </p>
      <PageHeader
        title={base ? base.name : `New ${kindTitle(type)} destination`}
        sub={
          base && (
            <span className="flex flex-wrap items-center gap-x-3">
              {kindTitle(type)}
              {gone ? (
                <Status kind="off" word="Deleted" />
              ) : (
                (health ?? healthFailed) && <Status kind={healthWords(known).kind} word={healthSince(known, now)} />
              )}
            </span>
          )
        }
        actions={
          !gone && (
            <>
              {base && <DestinationSwitch destination={base} health={health} />}
              {base && <DestinationMenu destination={base} dead={health?.dead ?? 0} />}
            </>
          )
        }
      />
    </>
  );
}
