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
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { estimateRun } from "./estimate.ts";
import { change, questionItem, underWay, type Run } from "./playground.ts";
import { refusalMessage } from "./refusal-messages.ts";
import { cosineText } from "../../vectors/similarity-scale.ts";
import { questionOf, type Hits } from "./use-hits.ts";
import type { Playground } from "./use-playground.ts";
import { WaitNotice } from "./WaitNotice.tsx";

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
  const [text, setText] = useState(question?.text ?? "");
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
  const said = hits && hits.rows[Math.max(0, at)];
  return (
    <>
      <form
        role="search"
        aria-label="Ask the rows of this run"
        className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-6 py-2 @max-[560px]/results:px-4"
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
          className="grow basis-56"
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
        <p className="text-12 text-fg-3 tabular-nums">{priceOfCall(cost, isEmpty)}</p>
        <p role="status" className="min-w-0 basis-full truncate text-12 text-fg-2 tabular-nums empty:hidden">
          {!asking && question && hits && said !== undefined && said !== null && (
            <>
              {at === -1 ? "Nearest of" : `${formatCount(at + 1)} of`} {formatCount(hits.rows.length)} to “
              {question.text.slice(0, 60)}”: {cosineText(hits.byRow[said] ?? 0)}, row {run.shown[said]?.number}{" "}
              {ended(run.shown[said]?.text.slice(0, 160) ?? "")} {paidFor(question.progress)} <Kbd>↑</Kbd> <Kbd>↓</Kbd>
            </>
          )}
          {!asking && question && hits?.rows.length === 0 && (
            <>
              Nothing to compare: the vector of “{question.text.slice(0, 60)}” is all zeros
              {state.used !== null && ` in its first ${formatCount(state.used)} numbers. Use more of them`}.{" "}
              {paidFor(question.progress)}
            </>
          )}
        </p>
      </form>
      {question?.progress.waiting && <WaitNotice run={run} wait={question.progress.waiting} />}
      {failure && <AskFailure run={run} refused={failure} />}
    </>
  );
}

function priceOfCall(cost: number | null, isEmpty: boolean): string {
  if (cost === null) return "One call, price unknown";
  if (cost === 0) return "One call, free";
  return isEmpty ? "One call" : `One call, ≈ ${formatUsd(cost)}`;
}

function paidFor({ tokens, cost }: Run["progress"]): string {
  return `${counted(tokens, "token")}${cost === null ? "" : `, ${formatUsd(cost)}`}.`;
}

/** Why a question has no answer, and what helps. */
/** A row's text as a sentence of its own. */
const ended = (text: string) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`);

function AskFailure({ run, refused }: { run: Run; refused: Parameters<typeof refusalMessage>[0] }) {
  const { path } = useWorkspace();
  const { title, advice, link } = refusalMessage(refused, run, path);
  return (
    <Notice tone="bad" role="alert" className="shrink-0">
      <strong className="font-semibold">The question was not answered. {title}.</strong>{" "}
      {refused.status === 400 ? "Change the question and ask again." : advice}{" "}
      {link && (
        <Link to={link.to} search={link.search ?? {}} className={`${linkTextClass} underline`}>
          {link.label}
        </Link>
      )}{" "}
      <span className="break-words text-fg-2">“{refused.message}”</span>
    </Notice>
  );
}
