import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { type GenerationFeedback, listGenerationFeedback } from "#contract/feedback.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../../api/query.ts";
import { useNow } from "../../api/clock.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { feedbackLabels } from "./labels.ts";

const FeedbackPanel = lazy(async () => ({ default: (await import("./FeedbackPanel.tsx")).FeedbackPanel }));

/** What people said of a call, and where they say it. */
export function CallFeedback({ id }: { id: string }) {
  const [giving, setGiving] = useState(false);
  const found = useQuery(query(listGenerationFeedback, { query: { id } }));
  return (
    <section aria-labelledby="feedback" className="border-t border-line px-8 py-6 max-md:px-4">
      <h2 id="feedback" className="pb-2 text-15">
        Feedback
      </h2>
      <QueryBoundary
        query={found}
        what="the feedback"
        skeleton={<Skeleton height={20} />}
        className="-mx-8 px-8 max-md:-mx-4 max-md:px-4"
      >
        {({ data }) => <Said feedback={data} />}
      </QueryBoundary>
      <Button id="give-feedback" className="mt-3" onClick={() => setGiving(true)}>
        Give feedback
      </Button>
      {giving && (
        <Suspense fallback={null}>
          <FeedbackPanel id={id} onClose={() => setGiving(false)} />
        </Suspense>
      )}
    </section>
  );
}

function Said({ feedback }: { feedback: readonly GenerationFeedback[] }) {
  const now = useNow(minuteMs);
  if (feedback.length === 0) return <p className="text-fg-2">No feedback on this call yet.</p>;
  return (
    <ul className="grid max-w-160 gap-3">
      {feedback.map(({ category, comment, author, created_at: at }) => (
        <li key={`${author} ${at}`}>
          <p className="flex flex-wrap gap-x-2">
            <b className="font-semibold">{feedbackLabels[category]}</b>
            <span className="min-w-0 text-fg-2 [overflow-wrap:anywhere]" dir="auto">
              {author}
            </span>
            <Time iso={at} now={now} focusable />
          </p>
          {comment !== null && (
            <p className="[overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">
              {comment}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
