import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { query } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { StatusShape } from "../../ui/Status.tsx";
import { keysBy } from "./key-reads.ts";

const doneForGood = "gatehouse.first-steps";

/** The way to the first answered call. Each step ticks itself from what is there; once all are done it never returns. */
export function FirstSteps({ every }: { every: number | false }) {
  const [gone, setGone] = useState(() => localStorage.getItem(doneForGood) === "done");
  const { path } = useWorkspace();
  const models = useQuery({ ...query(listEmbeddingModels), enabled: !gone });
  const keys = useQuery({
    ...keysBy({ workspaceId: "all", sort: "last_used_at", order: "desc", every }),
    enabled: !gone,
  });
  const hasModel = (models.data?.data.length ?? 0) > 0;
  const hasKey = (keys.data?.data.length ?? 0) > 0;
  const hasCall = keys.data?.data.some((key) => key.last_used_at !== null) ?? false;
  const done = hasModel && hasKey && hasCall;
  useEffect(() => {
    if (!done) return;
    localStorage.setItem(doneForGood, "done");
    setGone(true);
  }, [done]);
  if (gone || models.data === undefined || keys.data === undefined) return null;
  return (
    <section aria-labelledby="first-steps" className="mx-8 mt-5 border-t border-line-2 max-md:mx-4">
      <h2 id="first-steps" className="py-3 text-16">
        Three steps to the first answer
      </h2>
      <ol>
        <Step
          done={hasModel}
          title="A model that answers"
          detail={modelWords(models.data.data[0]?.name, models.data.data.length)}
        />
        <Step
          done={hasKey}
          title="A key to call it with"
          detail="A key lets one app call models, with its own limit and expiry."
        >
          {!hasKey && (
            <Link to={paths.newKey(path)} className={buttonClass({ variant: "primary", size: "sm" })}>
              Create a key
            </Link>
          )}
        </Step>
        <Step
          done={hasCall}
          title="The first call"
          detail="The page of a key has the command to paste; this line ticks when the call arrives."
        >
          {hasKey && !hasCall && (
            <Link to={paths.keys(path)} className={buttonClass({ size: "sm" })}>
              Show the keys
            </Link>
          )}
        </Step>
      </ol>
    </section>
  );
}

function modelWords(name: string | undefined, count: number): string {
  if (name === undefined) return "No provider offers a model yet.";
  return count === 1 ? `${name} is ready.` : `${name} and ${count - 1} more are ready.`;
}

function Step({
  done,
  title,
  detail,
  children,
}: {
  done: boolean;
  title: string;
  detail: string;
  children?: ReactNode;
}) {
  return (
    <li className="flex min-h-14 items-center gap-3 border-t border-line py-2">
      <StatusShape kind={done ? "running" : "off"} />
      <div className="grow">
        <p className={done ? "text-fg-2" : "font-semibold"}>
          {title}
          <span className="sr-only">{done ? ", done" : ", to do"}</span>
        </p>
        <p className="text-12 text-fg-3">{detail}</p>
      </div>
      {children}
    </li>
  );
}
