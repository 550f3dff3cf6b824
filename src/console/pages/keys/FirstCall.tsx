import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listGenerations } from "#contract/calls.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { formatClock, formatLatency, formatUsd } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Portcullis } from "../../ui/Portcullis.tsx";
import { useFirstCall } from "./use-first-call.ts";

interface FirstCallProps {
  hash: string;
  /** when the key was made */
  since: Date;
}

/** The light that goes on with the key's first call: proof that the hand-over worked. */
export function FirstCall({ hash, since }: FirstCallProps) {
  const { path } = useWorkspace();
  const { data, isError } = useFirstCall(hash);
  const key = data?.data;
  const used = key?.last_used_at ?? null;
  // of the calls that were made meanwhile, the last one: each of them is the proof
  const calls = useQuery({
    ...query(listGenerations, { query: { workspace_id: allWorkspaces, api_key_hash: hash, limit: "1" } }),
    enabled: used !== null,
  });
  const call = calls.data?.data[0];
  const now = useNow(1_000);
  const waited = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000));
  return (
    <div className="flex items-center gap-3.5 border-t border-line pt-4">
      <Portcullis open={used !== null} />
      <div role="status" className="min-w-0 grow">
        {key && used !== null ? (
          <>
            <p className="text-ok-fg">First call, {formatClock(new Date(used), "UTC", { seconds: true })} UTC</p>
            <p className="text-12 text-fg-3">
              {call
                ? `${call.model}, ${formatLatency(call.duration_ms)}, ${call.cost + call.byok_cost === 0 ? "free" : formatUsd(call.cost + call.byok_cost)}. `
                : ""}
              The key works where you put it.{" "}
              {call && (
                <Link to={paths.call(path, call.id)} className={`${linkTextClass} underline`}>
                  Show the call
                </Link>
              )}
            </p>
          </>
        ) : (
          <>
            <p>Waiting for the first call</p>
            <p className="text-12 text-fg-3">
              {isError
                ? "Can't check right now. The key is not affected."
                : "The row keeps watching after you close this."}
            </p>
          </>
        )}
      </div>
      {used === null && (
        <span aria-hidden="true" className="text-12 text-fg-3 tabular-nums">
          {Math.floor(waited / 60)}:{String(waited % 60).padStart(2, "0")}
        </span>
      )}
    </div>
  );
}
