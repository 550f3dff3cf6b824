import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyRecord } from "#contract/keys.ts";
import { keyGuardrails } from "../../api/guardrails.ts";
import type { CoveringGuardrail } from "../../api/read-guardrails.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { guardrailsPart, paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** It may be what the address leads to, and comes after the page. */
const comeUp = (part: HTMLElement | null) => {
  if (window.location.hash === `#${guardrailsPart}`) part?.scrollIntoView();
};

/** Which guardrails cover the key: the workspace's default one, its own, and its creator's. */
export function KeyGuardrails({ of: key }: { of: KeyRecord }) {
  const { path } = useWorkspace();
  const workspace = useQuery(everyWorkspace).data?.find(({ id }) => id === key.workspace_id);
  const read = useQuery({
    ...keyGuardrails(key.hash, key.creator_user_id, workspace?.default_guardrail_id),
    enabled: workspace !== undefined,
  });
  return (
    <div id={guardrailsPart} ref={comeUp} className="scroll-mt-14 border-t border-line py-6">
      <h2 className="px-8 pb-2 text-15 max-md:px-4">Guardrails</h2>
      <QueryBoundary
        query={read}
        what="the guardrails"
        skeleton={<Skeleton width={240} className="mx-8 max-md:mx-4" />}
      >
        {(covering) => (
          <ul className="grid gap-2 px-8 max-md:px-4">
            {covering.map(({ id, name, summary, because }) => (
              // the same one may be its own and its creator's
              <li key={because} className="flex flex-wrap items-baseline gap-x-3">
                <Link to={paths.guardrail(path, id)} className={`${linkTextClass} wrap-anywhere`}>
                  <bdi>{name}</bdi>
                </Link>
                <span className="wrap-anywhere">
                  {summary.length === 0 ? "restricts nothing yet" : summary.join(" · ")}
                </span>
                <span className="text-12 wrap-anywhere text-fg-3">{reasons[because](key)}</span>
              </li>
            ))}
          </ul>
        )}
      </QueryBoundary>
    </div>
  );
}

const reasons: Readonly<Record<CoveringGuardrail["because"], (key: KeyRecord) => string>> = {
  key: () => "assigned to this key",
  creator: ({ creator_user_id: creator }) => `assigned to its creator, ${creator}`,
  default: () => "covers every key of the workspace",
};
