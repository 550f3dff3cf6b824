import { Notice } from "../../ui/Notice.tsx";

interface MoveNoticeProps {
  from: string;
  to: string;
  /** how many keys it had made for apps */
  made: number;
}

/** What follows a key to another workspace and what does not, before it is moved. */
export function MoveNotice({ from, to, made }: MoveNoticeProps) {
  return (
    <Notice tone="warn">
      <p className="pb-1 font-semibold">From its next call on, it belongs to {to}.</p>
      <ul className="grid list-disc gap-1 pl-4">
        <li>Its limit, its spend and its settings go with it{made > 0 && `, and the keys made with it (${made})`}.</li>
        <li>
          Calls so far, and those in flight, stay in {from} and in its budgets. New ones count toward the budgets and
          rates of {to}.
        </li>
        <li>
          A guardrail that was assigned to it is taken off; the default one of {to} covers it. Destinations and own
          provider keys of {from} do not see its calls any more, those of {to} do.
        </li>
        <li>Files, presets, batches and caches stay in {from}: its calls cannot use them.</li>
      </ul>
    </Notice>
  );
}
