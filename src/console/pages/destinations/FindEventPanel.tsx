import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Output } from "#contract/endpoint.ts";
import { type DeliveryOutcome, getDeliveryOutcome, type LetThrough, sampleSessions } from "#contract/forwarding.ts";
import { percentOf } from "#contract/sampling.ts";
import { useNow } from "../../api/clock.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { Failure } from "../../shell/Failure.tsx";
import { deliveryOutcomes } from "../../shell/delivery-outcomes.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { filtersOfRefused, isRequestId, useCallsOf } from "../../shell/request-lookup.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Field } from "../../ui/Field.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Plate } from "../../ui/Plate.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { EventGates } from "./EventGates.tsx";
import { nextTry } from "./next-try.ts";
import { plates } from "./kinds.ts";
import { TracedSession } from "./TracedSession.tsx";

type Trace = Output<typeof getDeliveryOutcome>["data"];
type Found = Trace["destinations"][number];

/** "Trace a call": one call's id, and at each destination the stage where it stopped. */
export function FindEventPanel() {
  const navigate = useNavigate();
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const { generation = "" } = useSearch({ strict: false });
  const [text, setText] = useState(generation);
  const isRequest = isRequestId(generation);
  const request = useCallsOf(isRequest ? generation : "");
  const call = isRequest ? (request.calls[0]?.id ?? "") : generation;
  const [refused] = request.refused;
  const found = useQuery({ ...query(getDeliveryOutcome, { query: { generation_id: call } }), enabled: call !== "" });
  const looking = found.isFetching || request.isFetching;
  const error = found.error ?? request.error;
  const again = () => {
    if (isRequest) request.retry();
    if (call !== "") void found.refetch();
  };
  const unknown =
    isNotFound(found.error) ||
    (isRequest && call === "" && refused === undefined && !request.isFetching && request.error === null);
  return (
    <Panel
      title="Trace a call"
      description="Every answer carries the call's id, in its body and in the header X-Generation-Id."
      onDismiss={() => closePanel(paths.destinations(path))}
      outside="dismiss"
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const id = text.trim();
          if (id === generation) again();
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
              placeholder="gen-… or req-…"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          // another id can be asked for while one is looked up
          pending={looking && text.trim() === generation}
          disabledReason={text.trim() === "" && "Enter a call's id first"}
        >
          Find
        </Button>
      </form>
      <div aria-live="polite" className="grid gap-3">
        {(found.isLoading || (isRequest && call === "" && request.isFetching)) &&
          [64, 64, 64].map((height, index) => <Skeleton key={index} height={height} />)}
        {unknown ? (
          <p className="text-fg-2">
            {isRequest ? "No call has the request id" : "No call has the id"}{" "}
            <span className="mono break-all">{generation}</span>. It was never made here, or the ledger no longer has
            it.
          </p>
        ) : (
          error && <Failure error={error} what="The call could not be looked up" onRetry={again} retrying={looking} />
        )}
        {call === "" && refused && (
          <p className="text-fg-2">
            The call was refused before a model was called, so no event was created.{" "}
            <Link to={paths.calls(path)} search={filtersOfRefused(refused)} className={`${linkTextClass} underline`}>
              Show the refused calls
            </Link>
          </p>
        )}
        {found.data && !found.isError && <Outcomes trace={found.data.data} workspace={path} generation={call} />}
      </div>
    </Panel>
  );
}

/** The outcomes of calls that came as far as sampling. */
const reachedSampling: readonly DeliveryOutcome[] = ["sampled_out", "waiting", "failed", "dead", "sent"];
const wasSampled = ({ outcome, sampling_rate: rate }: Found) => rate < 1 && reachedSampling.includes(outcome);

function Outcomes({ trace, workspace, generation }: { trace: Trace; workspace: string; generation: string }) {
  const now = useNow(5_000);
  const { destinations: of, workspace_id: workspaceId, position } = trace;
  // The same sessions under every destination: what a lower rate keeps is a part of what a higher one keeps.
  const { data: sample } = useQuery({
    ...query(sampleSessions, { body: { workspace_id: workspaceId } }),
    enabled: of.some(wasSampled),
  });
  if (of.length === 0) return <p className="text-fg-2">The call's workspace has no destination.</p>;
  return (
    <ul aria-label="At each destination" className="grid">
      {of.map((one) => {
        const {
          destination_id: id,
          name,
          type,
          outcome,
          explanation,
          attempt,
          error,
          next_try_at: next,
          let_through,
        } = one;
        const { kind, word, section } = deliveryOutcomes[outcome];
        return (
          <li key={id} className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 border-t border-line py-3">
            <Plate name={plates[type]} />
            <div className="grid min-w-0 grid-cols-1 gap-0.5">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <Link
                  to={paths.destination(workspace, id)}
                  className="max-w-full truncate rounded-1 font-semibold hover:underline"
                >
                  {name}
                </Link>
                <Status kind={kind} word={word} />
              </p>
              <EventGates outcome={outcome} kind={kind} />
              {wasSampled(one) && (
                <TracedSession sessions={sample?.data.sessions} position={position} rate={one.sampling_rate} />
              )}
              <p className="text-fg-2">{explanation}</p>
              {error !== null && <p className="text-12 break-words text-fg-3">“{error}”</p>}
              {(attempt > 0 || next !== null) && outcome !== "sent" && (
                <p className="text-12 text-fg-3">
                  {attempt} {attempt === 1 ? "try" : "tries"} so far
                  {next !== null && `, ${nextTry(new Date(next), now)}`}
                </p>
              )}
              {let_through && (
                <SmallestEdit
                  of={let_through}
                  link={{ to: paths.destination(workspace, id), search: { through: generation }, hash: section ?? "" }}
                />
              )}
              {section !== undefined && !let_through && (
                <Link to={paths.destination(workspace, id)} hash={section} className={`${linkTextClass} w-fit text-12`}>
                  Open the settings that decided this
                </Link>
              )}
              {outcome === "dead" && (
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

/** What would let a call through: the one edit as a button, or all that are needed and a button for them. */
function SmallestEdit({
  of,
  link,
}: {
  of: LetThrough;
  link: { to: string; search: { through: string }; hash: string };
}) {
  const { changes, sampling_rate: rate } = of;
  const one = rate === undefined ? changes[0] : `A rate of at least ${percentOf(rate)} keeps this session`;
  // a rule in words may need several lines
  const button = "mt-1 h-auto! min-h-7 max-md:min-h-9 w-fit max-w-full py-1 text-left whitespace-normal! wrap-anywhere";
  return (
    <>
      <ul aria-label="What would let it through" className="text-12 text-fg-2">
        {changes.length === 1 ? (
          <li>
            <Link {...link} className={cx(buttonClass({ size: "sm" }), button)}>
              {one}
            </Link>
          </li>
        ) : (
          changes.map((change) => (
            <li key={change} className="break-words">
              {change}
            </li>
          ))
        )}
      </ul>
      {changes.length > 1 && (
        <Link {...link} className={cx(buttonClass({ size: "sm" }), button)}>
          Make these changes
        </Link>
      )}
    </>
  );
}
