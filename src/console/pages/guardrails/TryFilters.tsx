import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import type { ContentFilterMatch } from "#contract/content-filter-match.ts";
import {
  mostTriedLength,
  type TriedContentFilters,
  tryContentFilters,
  type TryContentFiltersBody,
} from "#contract/guardrails.ts";
import { call } from "../../api/call.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { counted } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Field, FieldError } from "../../ui/Field.tsx";
import { Status, type StatusKind } from "../../ui/Status.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { builtinsOf, patternsOf, type GuardrailForm } from "./guardrail-form.ts";

/** Runs the unsaved filters over a text on the gateway, which decides as it does for calls. */
export function TryFilters({ form }: { form: GuardrailForm }) {
  const { reason } = useReachable();
  const [text, setText] = useState("");
  const [of, setOf] = useState("");
  const [builtins, injectionScope, patterns] = useWatch({
    control: form.control,
    name: ["builtins", "injectionScope", "patterns"],
  });
  const answer = useRef<HTMLDivElement>(null);
  const run = useMutation({ mutationFn: (body: TryContentFiltersBody) => call(tryContentFilters, { body }) });
  useEffect(() => {
    // the form ends here: what came of it would be under the panel's foot
    if (run.data ?? run.error) answer.current?.scrollIntoView({ block: "end" });
  }, [run.data, run.error]);
  const body = {
    text,
    content_filter_builtins: builtinsOf({ builtins, injectionScope }),
    content_filters: patternsOf({ patterns }),
  };
  const asked = JSON.stringify(body);
  const stale = of !== asked;
  const incomplete = patterns.some(({ pattern }) => pattern === "");
  return (
    <div className="grid min-w-0 gap-2">
      <Field
        label="Try the filters"
        optional
        hint="On a user's message. It goes to the gateway only, which neither stores it nor sends it on."
      >
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            dir="auto"
            maxLength={mostTriedLength}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button
          size="sm"
          pending={run.isPending}
          disabledReason={
            reason ?? (incomplete ? "Enter or remove the empty pattern first" : text === "" && "Enter a text first")
          }
          onClick={() => {
            setOf(asked);
            run.mutate(body);
          }}
        >
          Try
        </Button>
      </div>
      <div ref={answer} role="status" className="grid min-w-0 scroll-mb-6 gap-1.5">
        {!stale && run.isError && <FieldError>The filters were not tried. {errorText(run.error)}</FieldError>}
        {!stale && run.data && <Tried of={run.data.data} />}
      </div>
    </div>
  );
}

const outcomes: Readonly<Record<NonNullable<TriedContentFilters["action"]>, { kind: StatusKind; word: string }>> = {
  block: { kind: "trouble", word: "Blocked: the call gets 403" },
  redact: { kind: "warning", word: "Redacted" },
  flag: { kind: "running", word: "Flagged: the call goes on unchanged" },
};
const verbs = { block: "blocked", redact: "redacted", flag: "flagged" } as const;

function Tried({ of: { action, text, matches, patterns } }: { of: TriedContentFilters }) {
  if (action === null) return <Status kind="running" word="Nothing found: the call goes on unchanged" />;
  return (
    <>
      <Status {...outcomes[action]} />
      <ul className="text-12 text-fg-2">
        {matches.map((match, index) => (
          <li key={index} className="wrap-anywhere">
            {matchWords(match)}
          </li>
        ))}
        {patterns.length > 0 && <li className="wrap-anywhere">Given away by: {patterns.join(", ")}</li>}
      </ul>
      {action === "redact" && (
        <>
          <p className="text-12 text-fg-3">What the model reads:</p>
          <p dir="auto" className="border-l-2 border-line-2 bg-bg-2 px-3.5 py-2 whitespace-pre-wrap wrap-anywhere">
            {text}
          </p>
        </>
      )}
    </>
  );
}

/** "EMAIL, redacted 2 times". */
function matchWords({ label, action, count }: ContentFilterMatch): string {
  return `${label}: ${verbs[action]}${count === 1 ? "" : `, found ${counted(count, "time")}`}`;
}
