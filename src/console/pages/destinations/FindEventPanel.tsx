import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Output } from "#contract/endpoint.ts";
import type { EventFate, getEventFate } from "#contract/forwarding.ts";
import { getEventFate as fateOf } from "#contract/forwarding.ts";
import { useNow } from "../../api/clock.ts";
import { ApiError } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { formatRelative } from "../../format.ts";
import { paths } from "../../paths.ts";
import { Failure } from "../../shell/Failure.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Plate } from "../../ui/Plate.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import type { StatusKind } from "../../ui/Status.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { plates } from "./kinds.ts";

type Found = Output<typeof getEventFate>["data"]["destinations"][number];

const fates: Readonly<
  Record<(typeof EventFate.options)[number], { kind: StatusKind; word: string; section?: string }>
> = {
  sent: { kind: "running", word: "Sent" },
  waiting: { kind: "warning", word: "Waiting" },
  failed: { kind: "warning", word: "Failed so far", section: "connection" },
  dead: { kind: "trouble", word: "Given up" },
  filtered: { kind: "never", word: "Stopped by a rule", section: "rules" },
  sampled_out: { kind: "never", word: "Sampled out", section: "sampling" },
  not_in_allowlist: { kind: "never", word: "From another key", section: "keys" },
  disabled: { kind: "off", word: "Was switched off" },
  before_destination: { kind: "never", word: "Older than the destination" },
};

/** "Where did my event go?": one call's id, and at each destination the stage where it stopped. */
export function FindEventPanel() {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { generation = "" } = useSearch({ strict: false });
  const [text, setText] = useState(generation);
  const found = useQuery({ ...query(fateOf, { query: { generation_id: generation } }), enabled: generation !== "" });
  const unknown = found.error instanceof ApiError && found.error.status === 404;
  return (
    <Panel
      title="Where did my event go"
      description="Every answer carries the call's id, in its body and in the header X-Generation-Id."
      onDismiss={() => void navigate({ to: paths.destinations(path) })}
      outside="dismiss"
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const id = text.trim();
          if (id === generation) void found.refetch();
          else void navigate({ to: paths.findEvent(path), search: { generation: id || undefined }, replace: true });
        }}
        className="grid grid-cols-[1fr_auto] items-end gap-2"
      >
        <Field label="Call id">
          {(control) => (
            <TextInput
              {...control}
              mono
              spellCheck={false}
              placeholder="gen-…"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          pending={found.isFetching}
          disabledReason={text.trim() === "" && "Enter a call's id first"}
        >
          Find
        </Button>
      </form>
      <div aria-live="polite" className="grid gap-3">
        {found.isLoading && [64, 64, 64].map((height, index) => <Skeleton key={index} height={height} />)}
        {unknown ? (
          <p className="text-fg-2">
            No call has the id <span className="mono break-all">{generation}</span>. It was never made here, or is older
            than the ledger keeps.
          </p>
        ) : (
          found.isError && (
            <Failure
              error={found.error}
              what="The call was not looked up"
              onRetry={() => void found.refetch()}
              retrying={found.isFetching}
            />
          )
        )}
        {found.data && !found.isError && <Fates of={found.data.data.destinations} workspace={path} />}
      </div>
    </Panel>
  );
}

function Fates({ of, workspace }: { of: readonly Found[]; workspace: string }) {
  const now = useNow(5_000);
  if (of.length === 0) return <p className="text-fg-2">The call's workspace has no destination.</p>;
  return (
    <ul aria-label="At each destination" className="grid">
      {of.map(({ destination_id: id, name, type, fate, explanation, attempt, error, next_try_at: next }) => {
        const { kind, word, section } = fates[fate];
        return (
          <li key={id} className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 border-t border-line py-3">
            <Plate name={plates[type]} />
            <div className="grid min-w-0 gap-0.5">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <Link
                  to={paths.destination(workspace, id)}
                  className="max-w-full truncate rounded-1 font-semibold hover:underline"
                >
                  {name}
                </Link>
                <Status kind={kind} word={word} />
              </p>
              <p className="text-fg-2">{explanation}</p>
              {error !== null && <p className="text-12 break-words text-fg-3">“{error}”</p>}
              {(attempt > 0 || next !== null) && fate !== "sent" && (
                <p className="text-12 text-fg-3">
                  {attempt} {attempt === 1 ? "try" : "tries"} so far
                  {next !== null && `, the next ${formatRelative(new Date(next), now)}`}
                </p>
              )}
              {section !== undefined && (
                <Link to={paths.destination(workspace, id)} hash={section} className={`${linkTextClass} w-fit text-12`}>
                  Open the settings that decide it
                </Link>
              )}
              {fate === "dead" && (
                <Link to={paths.deadLetters(workspace, id)} className={`${linkTextClass} w-fit text-12`}>
                  Send it again
                </Link>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
