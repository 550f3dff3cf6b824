import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/connectivity.ts";
import { useStore } from "../../api/store.ts";
import { counted, formatCount, formatUsd } from "../../format.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { LinkButton, linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { estimateRun } from "./estimate.ts";
import { change, questionItem, underWay, type Question, type Run } from "./playground.ts";
import type { Refused } from "../../vectors/run-batch.ts";
import { messageAbout, refusalMessage } from "./refusal-messages.ts";
import { cosineText } from "../../vectors/similarity-scale.ts";
import { questionOf, type Hits } from "./use-hits.ts";
import type { Playground } from "./use-playground.ts";
import { WaitWords } from "./WaitNotice.tsx";

/** What other parts of the page send the focus to, to offer a question. */
export const questionField = "playground-question";

interface AskFieldProps {
  playground: Playground;
  run: Run;
  hits: Hits | null;
}

/**
 * One question to all rows of a run, over every view of them: one call for its vector, then every row by its cosine with
 * it. Up and down walk the answers, Escape clears.
 */
export function AskField({ playground, run, hits }: AskFieldProps) {
  const { store } = playground;
  const state = useStore(store);
  const question = questionOf(state, run);
  const [text, setText] = useQuestionText(question);
  /** all of why there is no answer is shown */
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const reach = useReachable();
  const models = useQuery(query(listEmbeddingModels, {}));
  const model = models.data?.data.find(({ id }) => id === run.model);
  const item = questionItem(run, text);
  const isEmpty = text.trim() === "";
  const noModel =
    models.isSuccess && model === undefined
      ? `No provider offers ${run.model}`
      : run.workspaceId === ""
        ? "The workspaces have not loaded"
        : null;
  // of an empty question only whether the model is free is known
  const { cost } = estimateRun([isEmpty ? questionItem(run, "a") : item], model);
  const asking = question !== undefined && underWay(question.progress);
  const failure = question?.progress.failures[0]?.[1];
  const at = hits === null || state.selected === null ? -1 : hits.rows.indexOf(state.selected);
  useShortcut("/", "Ask the rows of this run", () => field.current?.focus());

  function ask() {
    if (text.trim() !== "" && !asking && noModel === null && reach.reachable) playground.ask(run, text);
  }
  function clear() {
    setText("");
    playground.unask();
    field.current?.focus();
  }
  function press(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape" && (text !== "" || question)) {
      // this Escape is not the one that cancels a run
      event.preventDefault();
      clear();
    }
    if (step === 0 || !hits || hits.rows.length === 0) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(hits.rows.length - 1, at + step));
    change(store, { selected: hits.rows[next] ?? null });
  }
  return (
    <>
      <form
        role="search"
        aria-label="Ask the rows of this run"
        className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-(--pane-x) py-1 @max-[460px]/results:gap-y-0 @max-[460px]/results:pb-1"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <TextInput
          ref={field}
          size="sm"
          id={questionField}
          aria-label="Question"
          className="grow basis-56 @min-[900px]/results:max-w-100"
          placeholder={
            run.example
              ? "Type a sentence to see where it belongs"
              : `Ask these ${formatCount(run.items.length)} rows a question`
          }
          prefix={<Search size={14} aria-hidden="true" />}
          suffix={
            text === "" && !question ? (
              <Kbd>/</Kbd>
            ) : (
              <IconButton label="Clear the question" className="-mr-2 !size-6" onClick={clear}>
                <X size={13} aria-hidden="true" />
              </IconButton>
            )
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
        <Button
          type="submit"
          size="sm"
          pending={asking}
          disabledReason={
            isEmpty ? "Write a question first" : (noModel ?? (!reach.reachable && "The gateway cannot be reached"))
          }
        >
          Ask
        </Button>
        {/* its place is kept: what comes of a question moves nothing that is looked at */}
        <div className="flex min-h-7 min-w-0 items-center gap-3 text-12 tabular-nums @max-[900px]/results:basis-full @min-[900px]/results:grow @min-[900px]/results:basis-0">
          {question?.progress.waiting ? (
            <p className="min-w-0 grow truncate text-warn-fg">
              <WaitWords run={run} wait={question.progress.waiting} />
            </p>
          ) : failure ? (
            <AskFailure run={run} refused={failure} open={open} onOpen={setOpen} />
          ) : null}
          <p role="status" className="min-w-0 truncate text-fg-2 empty:hidden">
            {!asking && question && hits && <Answer {...{ run, question, hits, at }} used={state.used} />}
          </p>
          {hits && hits.rows.length > 0 && (
            <span aria-hidden="true" className="shrink-0 max-md:hidden">
              <Kbd>↑</Kbd> <Kbd>↓</Kbd>
            </span>
          )}
          <p className="ml-auto shrink-0 text-fg-3">{priceOfCall(cost, isEmpty)}</p>
        </div>
      </form>
      {failure && open && <WholeFailure run={run} refused={failure} />}
    </>
  );
}

/** What is in the field; a question may have been asked from the large box as well. */
function useQuestionText(question: Question | null | undefined) {
  const [text, setText] = useState(question?.text ?? "");
  const [last, setLast] = useState(question?.aside);
  if (question && question.aside !== last) {
    setLast(question.aside);
    setText(question.text);
  }
  return [text, setText] as const;
}

interface AnswerProps {
  run: Run;
  question: Question;
  hits: Hits;
  /** the place of the chosen row among the hits; -1: none is chosen */
  at: number;
  /** in how many dimensions vectors are looked at; null: all */
  used: number | null;
}

/** Which row is nearest to the question, or the one that was walked to. */
function Answer({ run, question: { text, progress }, hits, at, used }: AnswerProps) {
  const row = hits.rows[Math.max(0, at)];
  const asked = `“${text.slice(0, 60)}”`;
  if (row === undefined)
    return (
      <>
        Nothing to compare: the vector of {asked} is all zeros
        {used !== null && ` in its first ${formatCount(used)} numbers. Use more of them`}. {paidFor(progress)}
      </>
    );
  return (
    <>
      {progress.unfamiliar.length > 0 && <span className="text-warn-fg">Other language: this says little. </span>}
      {at === -1 ? "Nearest of" : `${formatCount(at + 1)} of`} {formatCount(hits.rows.length)} to {asked}:{" "}
      {cosineText(hits.byRow[row] ?? 0)}, row {run.shown[row]?.number} {ended(run.shown[row]?.text.slice(0, 160) ?? "")}{" "}
      {paidFor(progress)}
    </>
  );
}

function priceOfCall(cost: number | null, isEmpty: boolean): string {
  if (cost === null) return "One call, price unknown";
  if (cost === 0) return "One call, free";
  return isEmpty ? "One call" : `One call, ≈ ${formatUsd(cost)}`;
}

function paidFor({ tokens, cost }: Run["progress"]): string {
  return `${counted(tokens, "token")}${cost === null ? "" : cost === 0 ? ", free" : `, ${formatUsd(cost)}`}.`;
}

/** A row's text as a sentence of its own. */
const ended = (text: string) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`);

interface FailureProps {
  run: Run;
  refused: Refused;
}

/** Why a question has no answer, and what helps, on one line. */
function AskFailure(props: FailureProps & { open: boolean; onOpen: (open: boolean) => void }) {
  const { open, onOpen } = props;
  return (
    <>
      <p role="alert" className="min-w-0 grow truncate text-bad-fg">
        <FailureWords {...props} />
      </p>
      <LinkButton className="shrink-0" aria-expanded={open} onClick={() => onOpen(!open)}>
        {open ? "Less" : "Details"}
      </LinkButton>
    </>
  );
}

const WholeFailure = (props: FailureProps) => (
  <Notice tone="bad" className="shrink-0">
    <FailureWords {...props} />
  </Notice>
);

function FailureWords({ run, refused }: FailureProps) {
  const { path } = useWorkspace();
  const { title, advice, link } = refusalMessage(refused, run, path);
  return (
    <>
      <strong className="font-semibold">The question was not answered. {title}.</strong>{" "}
      {refused.status === 400 ? "Change the question and ask again." : advice}{" "}
      {link && (
        <Link to={link.to} search={link.search ?? {}} className={`${linkTextClass} underline`}>
          {link.label}
        </Link>
      )}{" "}
      <span className="wrap-anywhere text-fg-2">“{messageAbout("The question", refused.message)}”</span>
    </>
  );
}
