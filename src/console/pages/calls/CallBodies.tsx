import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CallRecord } from "#contract/calls.ts";
import { type GenerationContent, getGenerationContent } from "#contract/generations.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { withoutText } from "./labels.ts";

/** Prompt and response, only on request and only where the workspace keeps it; it stays in no cache. */
export function CallBodies({ of: call }: { of: CallRecord }) {
  const [shown, setShown] = useState(false);
  const bodies = useQuery({
    ...query(getGenerationContent, { query: { id: call.id } }),
    enabled: shown,
    gcTime: 0,
    retry: false,
  });
  const notKept = isNotFound(bodies.error);
  return (
    <section aria-labelledby="bodies" className="border-t border-line px-8 py-6 max-md:px-4">
      <h2 id="bodies" className="pb-2 text-15">
        Prompt and response
      </h2>
      {!shown ? (
        <Button onClick={() => setShown(true)}>Show the bodies</Button>
      ) : notKept ? (
        <p role="status" className="max-w-160 text-fg-2">
          The bodies were not kept: the workspace was not set to keep them when the call was made, they had more than
          262,144 characters, or they have been deleted since.
        </p>
      ) : (
        <QueryBoundary
          query={bodies}
          what="the bodies"
          skeleton={<Skeleton height={120} />}
          className="-mx-8 px-8 max-md:-mx-4 max-md:px-4"
        >
          {({ data }) => <Bodies of={call} content={data} />}
        </QueryBoundary>
      )}
    </section>
  );
}

function Bodies({ of: call, content: { input, output } }: { of: CallRecord; content: GenerationContent }) {
  const sent = input.messages.length > 0 ? JSON.stringify(input.messages, null, 2) : input.prompt;
  return (
    <div className="grid max-w-240 gap-4">
      <Text title="Sent" text={sent} />
      {output.reasoning !== null && <Text title="Reasoning" text={output.reasoning} />}
      <Text title="Answered" text={output.completion ?? withoutText(call)} />
    </div>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3 className="pb-1 text-12 text-fg-3">{title}</h3>
      <pre
        // what scrolls must be reachable by the keyboard
        tabIndex={0}
        aria-label={title}
        className="max-h-80 overflow-auto border-l-2 border-line-2 bg-bg-2 px-3 py-2 font-mono text-12 break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}
