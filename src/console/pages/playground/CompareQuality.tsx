import { useMemo } from "react";
import { counted, formatCount } from "../../format.ts";
import { cx } from "../../ui/cx.ts";
import { moreShadow } from "../../ui/more-shadow.ts";
import type { FirstRight } from "../../vectors/first-right.ts";
import type { Interval } from "../../vectors/intervals.ts";
import type { VectorSlice } from "../../vectors/protocol.ts";
import type { Run } from "./playground.ts";
import { intervalText, qualityOf, qualityQuestions, qualitySentence, type Compared } from "./quality.ts";
import { useAnswer } from "./use-answer.ts";
import { ViewSentence } from "./ViewSentence.tsx";
import type { Playground } from "./use-playground.ts";
import { WorkProgress } from "./WorkProgress.tsx";

interface CompareQualityProps {
  playground: Playground;
  runs: readonly Run[];
  slices: readonly VectorSlice[];
  version: number;
}

/** Which run is better at finding what belongs together: by the labels of rows, and by queries whose answer is known. */
export function CompareQuality({ playground: { worker }, runs, slices, version }: CompareQualityProps) {
  const shown = runs[0]?.shown;
  const questions = useMemo(() => qualityQuestions(shown ?? []), [shown]);
  const label = useAnswer(
    worker,
    "firstRight",
    questions.label && { slices: [...slices], ...questions.label },
    version,
  );
  const search = useAnswer(
    worker,
    "firstRight",
    questions.search && { slices: [...slices], ...questions.search },
    version,
  );
  const compared = runs.map(comparedAs(runs));
  const sentence =
    (search.data && qualitySentence(compared, search.data, "search")) ??
    (label.data && qualitySentence(compared, label.data, "label")) ??
    null;
  if (!questions.label && !questions.search)
    return (
      <p className="max-w-140 text-fg-2">
        To see which run is better, give rows labels: then it is counted for how many the nearest row has the same
        label. With queries whose label is that of the right documents, or the id of the right one, it is counted how
        soon that comes.
      </p>
    );
  return (
    <section aria-label="Quality" className="grid gap-3">
      <h2 className="text-15">Quality</h2>
      {sentence !== null && (
        <div className="-mx-(--pane-x) border-t border-line">
          <ViewSentence sentence={sentence} />
        </div>
      )}
      <WorkProgress work={search.share === null ? label : search} what="Looking for right answers" />
      <div className={cx("relative overflow-x-auto", moreShadow)}>
        <table className="w-full text-right text-12 tabular-nums">
          <thead className="border-b border-line-2 text-fg-3">
            <tr>
              <th scope="col" className="py-1 text-left font-normal">
                Run
              </th>
              {questions.label && <Head>Nearest row has the same label</Head>}
              {questions.search && (
                <>
                  <Head>Right document first (hit@1)</Head>
                  <Head>Among the first ten (hit@10)</Head>
                  <Head>Mean reciprocal rank (MRR)</Head>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {runs.map((run, at) => (
              <tr key={run.id} className="border-b border-line">
                <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                  Run {run.id}: {run.model}
                </th>
                {questions.label && <Cells found={label.data} at={at} of={["first"]} />}
                {questions.search && <Cells found={search.data} at={at} of={["first", "ten", "reciprocal"]} />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="max-w-160 text-12 text-fg-3">
        {sampleText([sampleWords(label.data, "labeled row"), sampleWords(search.data, "query", "queries")])} In
        parentheses, where the figure of all such rows lies with 95% confidence: Wilson’s interval of shares, 1,000
        bootstrap draws of means. Of equally near rows, wrong ones count as nearer.
      </p>
    </section>
  );
}

const Head = ({ children }: { children: string }) => (
  <th scope="col" className="py-1 pl-3 font-normal">
    {children}
  </th>
);

interface CellsProps {
  found: FirstRight | undefined;
  at: number;
  of: readonly ("first" | "ten" | "reciprocal")[];
}

function Cells({ found, at, of }: CellsProps) {
  const ranks = found?.ranks[at];
  const quality = ranks && ranks.length > 0 ? qualityOf(ranks) : null;
  return of.map((figure) => (
    <td key={figure} className="pl-3 whitespace-nowrap">
      {quality ? (
        <Figure text={figure === "reciprocal" ? meanText(quality[figure]) : intervalText(quality[figure])} />
      ) : (
        "–"
      )}
    </td>
  ));
}

/** The figure, and its interval in a line of its own below it. */
function Figure({ text }: { text: string }) {
  const at = text.indexOf(" (");
  return (
    <>
      {text.slice(0, at)}
      <span className="block text-11 text-fg-3">{text.slice(at)}</span>
    </>
  );
}

const meanText = ({ value, from, to }: Interval) => `${value.toFixed(2)} (${from.toFixed(2)} to ${to.toFixed(2)})`;

function sampleWords(found: FirstRight | undefined, one: string, many?: string): string {
  if (!found || found.of === 0) return "";
  const { asked, of } = found;
  return asked.length < of
    ? `a sample of ${formatCount(asked.length)} of ${counted(of, one, many)}`
    : counted(of, one, many);
}

function sampleText(parts: readonly string[]): string {
  const known = parts.filter(Boolean);
  return known.length === 0 ? "" : `From ${known.join(" and ")}.`;
}

/** A model's name where it tells the runs apart, and what its tokens cost where that is known. */
const comparedAs =
  (runs: readonly Run[]) =>
  ({ id, model, progress: { cost, tokens } }: Run): Compared => ({
    run: id,
    name: runs.filter((other) => other.model === model).length === 1 ? model : `run ${id}`,
    price: cost === null || tokens === 0 ? null : (cost / tokens) * 1e6,
  });
