import { Link } from "@tanstack/react-router";
import type { ModelRecord } from "#contract/models.ts";
import { useStore } from "../../api/store.ts";
import { counted, formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type Answer, isUnderWay } from "./answer.ts";
import { AnswerText } from "./AnswerText.tsx";
import type { AnswerCell } from "./chat.ts";
import { costWords, roughCost } from "./cost.ts";
import { turnErrorWords, type TurnErrorPlace } from "./turn-error.ts";

interface AnswerViewProps {
  cell: AnswerCell;
  /** undefined where the model is no longer listed */
  record: ModelRecord | undefined;
  place: Omit<TurnErrorPlace, "model">;
}

/** One model's answer, which draws itself as it comes. */
export function AnswerView({ cell, record, place }: AnswerViewProps) {
  const answer = useStore(cell.answer);
  const { text, thoughts, tools, state, error } = answer;
  return (
    <article aria-label={`${cell.model} answers`} aria-busy={isUnderWay(answer)} className="grid min-w-0 gap-2">
      <h3 className="mono text-12 font-semibold wrap-anywhere">{cell.model}</h3>
      {thoughts !== "" && (
        <Disclosure summary={state === "streaming" && text === "" ? "Thinking" : "Thoughts"}>
          <p className="border-l-2 border-line-2 pl-3 wrap-anywhere whitespace-pre-wrap text-fg-2">{thoughts}</p>
        </Disclosure>
      )}
      {text !== "" && <AnswerText text={text} />}
      {state === "waiting" && <Skeleton className="h-4 w-40" />}
      {tools.length > 0 && (
        <Disclosure summary={`${counted(tools.length, "tool call")}: the playground shows them and runs none`}>
          {tools.map((tool, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index} className="grid gap-1 pb-2">
              <span className="mono text-12 font-semibold">{tool.name}</span>
              <pre className="overflow-x-auto bg-bg-2 px-3 py-2 font-mono text-[12px]">{tool.arguments}</pre>
            </div>
          ))}
        </Disclosure>
      )}
      {state === "done" && text === "" && tools.length === 0 && (
        <p className="text-fg-3">The model ended its answer without a text.</p>
      )}
      {error && <TurnError answer={answer} place={{ ...place, model: cell.model }} />}
      <Foot answer={answer} cell={cell} record={record} workspace={place.workspace} />
    </article>
  );
}

function TurnError({ answer: { error, state }, place }: { answer: Answer; place: TurnErrorPlace }) {
  if (!error) return null;
  const { title, advice, link } = turnErrorWords(error, place);
  return (
    <Notice
      tone={state === "lost" ? "warn" : "bad"}
      action={
        link && (
          <Link to={link.to} className={`${linkTextClass} underline`}>
            {link.label}
          </Link>
        )
      }
    >
      <strong>{title}.</strong> {advice}
      {error.message !== "" && <span className="block pt-0.5 text-fg-2">“{error.message}”</span>}
      {error.status > 0 && (
        <span className="block pt-0.5 text-fg-2">
          HTTP {error.status}
          {error.requestId && (
            <>
              {" · "}
              <span className="mono">{error.requestId}</span>
            </>
          )}
        </span>
      )}
    </Notice>
  );
}

const endWords: Partial<Record<string, string>> = {
  length: "cut at max tokens",
  content_filter: "cut by a content filter",
};

interface FootProps extends Pick<AnswerViewProps, "cell" | "record"> {
  answer: Answer;
  workspace: string;
}

/** Tokens, cost and the way to the call. */
function Foot({ answer, cell, record, workspace }: FootProps) {
  const { usage, call, state, finish, text } = answer;
  const cost = costWords(answer, roughCost(answer, cell.sent, record?.pricing ?? null));
  const parts = [
    state === "stopped" && "stopped",
    finish !== null && endWords[finish],
    usage && `${formatCount(usage.prompt)} in`,
    usage && `${counted(usage.completion, "token")} out`,
    usage?.thoughts ? `${formatCount(usage.thoughts)} of them thoughts` : false,
    usage?.cached ? `${formatCount(usage.cached)} from the prompt cache` : false,
    cost,
  ].filter(Boolean);
  return (
    <p className="flex min-h-7 flex-wrap items-center gap-x-2 text-12 text-fg-3 tabular-nums">
      {parts.join(" · ")}
      {call !== null && !isUnderWay(answer) && (
        <Link to={paths.call(workspace, call)} className={`${linkTextClass} underline`}>
          See the call
        </Link>
      )}
      {text !== "" && !isUnderWay(answer) && <CopyButton text={text} label="Copy the answer" />}
    </p>
  );
}
