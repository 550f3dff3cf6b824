import { Link } from "@tanstack/react-router";
import type { ModelUsage } from "#contract/activity.ts";
import { now } from "../../api/clock.ts";
import {
  counted,
  formatBytes,
  formatCompact,
  formatCount,
  formatDuration,
  formatLongDay,
  formatUsdRough,
} from "../../format.ts";
import { paths } from "../../paths.ts";
import { download } from "../../shell/download.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { csvName, toCsv } from "../../csv.ts";
import { Table } from "../../table/Table.tsx";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { costAgain, csvHeader, csvRow, lengthsOf, memoryOf, timeAgain } from "./change-plan.ts";
import type { ModelRow } from "./offers.ts";
import { planColumns } from "./plan-columns.tsx";

interface ChangePlanProps {
  from: { id: string; row: ModelRow | undefined; usage: ModelUsage };
  /** `usage` undefined: not read, or not yet */
  to: { id: string; row: ModelRow | undefined; usage: ModelUsage | undefined } | null;
  /** vectors in the index; null: nothing says how many */
  vectors: number | null;
  /** true: the vectors are estimated from calls */
  guessed: boolean;
  atOnce: number;
}

/** The sentence, the memory by length, and each key's part. */
export function ChangePlan({ from, to, vectors, guessed, atOnce }: ChangePlanProps) {
  const { path } = useWorkspace();
  const { total, keys } = from.usage;
  if (total.keys === 0) {
    return (
      <div className="px-8 py-6 max-md:px-4">
        <EmptyState title="Nothing was embedded with it in these days">
          No call of any key in view used {from.id} since {formatLongDay(new Date(from.usage.since), "UTC")}.
        </EmptyState>
      </div>
    );
  }
  const save = () =>
    download(
      csvName(`plan_${from.id.replace("/", "-")}`, path, now()),
      toCsv(
        csvHeader,
        keys.map((key) => csvRow(key, to?.row)),
      ),
      "text/csv;charset=utf-8",
    );
  return (
    <>
      <div className="grid max-w-180 gap-2 px-8 pb-5 max-md:px-4">
        <p role="status" className="text-16 text-pretty">
          {sentence(from, to, atOnce)}
        </p>
        <p className="text-12 text-fg-3">
          Tokens are counted as {from.id} counts them; another model&rsquo;s tokenizer counts differently. Queries and
          texts that were embedded twice are among them.
          {to !== null && to.usage && to.usage.sample.calls > 0 && ` ${timeSource(to.usage.sample)}`}
        </p>
      </div>
      <Memory {...{ from, to, vectors, guessed }} />
      <section aria-labelledby="plan-keys" className="border-t border-line pt-5">
        <div className="flex flex-wrap items-baseline gap-x-3 px-8 pb-2 max-md:px-4">
          <h2 id="plan-keys" className="text-16 text-[15px]">
            By key
          </h2>
          <span className="text-12 text-fg-3">
            {keys.length < total.keys
              ? `The ${formatCount(keys.length)} with most tokens of ${formatCount(total.keys)}`
              : counted(total.keys, "key")}
          </span>
          <Button size="sm" className="ml-auto" onClick={save}>
            Export CSV
          </Button>
        </div>
        <Table
          label={`Keys that used ${from.id}`}
          columns={planColumns}
          context={{ workspace: path, to: to?.row }}
          rows={keys}
          rowId={({ key_hash, workspace_id }) => key_hash + workspace_id}
        />
      </section>
    </>
  );
}

/** How much memory the vectors take, before and after, by length. */
function Memory({ from, to, vectors, guessed }: Pick<ChangePlanProps, "from" | "to" | "vectors" | "guessed">) {
  const { path } = useWorkspace();
  const before = from.row?.dimensions ?? null;
  const lengths = to?.row ? lengthsOf(to.row) : [];
  const most = Math.max(before ?? 0, ...lengths);
  const bars = [
    ...(before === null ? [] : [{ name: from.id, length: before }]),
    ...lengths.map((length) => ({ name: to?.id ?? "", length })),
  ];
  if (vectors === null || (before === null && to === null)) return null;
  const unknown = [...(before === null ? [from] : []), ...(to && lengths.length === 0 ? [to] : [])];
  return (
    <section aria-labelledby="plan-memory" className="border-t border-line px-8 pt-5 pb-6 max-md:px-4">
      <h2 id="plan-memory" className="text-16 text-[15px]">
        Memory of {guessed && "about "}
        {formatCompact(vectors)} {vectors === 1 ? "vector" : "vectors"}
      </h2>
      <ul className="grid max-w-180 gap-1.5 pt-3 text-12">
        {bars.map(({ name, length }, place) => (
          <li
            key={`${name} ${length}`}
            className="grid grid-cols-[minmax(0,1fr)_64px_minmax(0,1.2fr)_72px] items-center gap-3"
          >
            <span
              className={cx(
                "truncate",
                place === 0 && before !== null && "text-fg-3",
                // said once to the eye
                name === bars[place - 1]?.name && "opacity-0",
              )}
            >
              {name}
            </span>
            <span className="text-right tabular-nums">{formatCount(length)}</span>
            <span aria-hidden="true" className="h-2 bg-bg-2">
              <span
                className={place === 0 && before !== null ? "block h-2 bg-tick" : "block h-2 bg-accent"}
                style={{ width: `${(length / most) * 100}%` }}
              />
            </span>
            <span className="text-right tabular-nums">{formatBytes(memoryOf(vectors, length))}</span>
          </li>
        ))}
      </ul>
      {unknown.map(({ id, row }) => (
        <p key={id} className="max-w-180 pt-3 text-12 wrap-anywhere">
          {row === undefined ? (
            `${id} is left out: no provider here offers it, so how long its vectors are is not known.`
          ) : (
            <>
              <Link to={paths.model(path, id)} className={linkTextClass}>
                {id}
              </Link>{" "}
              is left out: its settings do not say how many dimensions it has.
            </>
          )}
        </p>
      ))}
      <p className="max-w-180 pt-3 text-12 text-fg-3">
        As 32-bit floats, without what the index adds; a byte a number is a quarter of it. What fewer dimensions lose
        depends on the texts: Compare in the{" "}
        <Link to={paths.playground(path)} search={{ view: "compare" }} className={linkTextClass}>
          playground
        </Link>{" "}
        measures it on yours.
      </p>
    </section>
  );
}

function sentence({ usage, id }: ChangePlanProps["from"], to: ChangePlanProps["to"], atOnce: number): string {
  const { prompt_tokens: tokens, requests, keys } = usage.total;
  const what = `${formatCompact(tokens)} tokens in ${counted(requests, "call")}`;
  if (to === null) {
    return `${counted(keys, "key")} embedded ${what} with ${id}. Choose a model to see what doing it again would cost.`;
  }
  if (!to.row) return `No provider here offers ${to.id}, so what it would cost is not known.`;
  const cost = costAgain(usage.total, to.row);
  const price =
    cost === null
      ? "has no price here"
      : cost.most === 0
        ? "is free"
        : `costs about ${span(cost)}${to.row.unpriced ? ", or what a provider without a price here charges" : ""}`;
  if (!to.usage) return `Embedding ${what} again with ${to.id} ${price}.`;
  const time = timeAgain(tokens, to.usage.sample, atOnce);
  const takes =
    time === null
      ? "how long it takes is not known, since none of the newest calls used it"
      : `takes about ${time < 1000 ? "a second" : formatDuration(time)} with ${counted(atOnce, "call")} at a time`;
  return `Embedding ${what} again with ${to.id} ${price}, and ${takes}.`;
}

function span({ least, most }: { least: number; most: number }): string {
  const [low, high] = [formatUsdRough(least), formatUsdRough(most)];
  return low === high ? high : `${low} to ${high}`;
}

function timeSource({ calls, looked }: ModelUsage["sample"]): string {
  return `The time is from its ${counted(calls, "call")} among the newest ${formatCount(looked)}, as if calls did not slow each other down.`;
}
