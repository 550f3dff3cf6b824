import { useState } from "react";
import { formatCount, formatUsd } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { partsOf, withoutEach } from "./left-out.ts";
import type { Item } from "./plan.ts";
import type { Run } from "./playground.ts";
import { estimateTokens } from "./tokens.ts";
import type { Playground } from "./use-playground.ts";

interface WhySimilarProps {
  playground: Playground;
  run: Run;
  pair: readonly [number, number];
}

interface Found {
  of: string;
  whole: number;
  /** by side and part: how much similarity is lost without it */
  lost: [number[], number[]];
}

/** Which parts of two texts make them similar: each is embedded again without one part at a time. */
export function WhySimilar({ playground, run, pair }: WhySimilarProps) {
  const [state, setState] = useState<Found | string | null>(null);
  const texts = pair.map((row) => run.shown[row]?.text ?? "");
  const sides = texts.map((text) => ({ parts: partsOf(text), left: withoutEach(partsOf(text)) }));
  const variants = sides.flatMap(({ left }, side) => left.map(({ part, text }) => ({ side, part, text })));
  const of = `${run.id} ${pair.join(" ")}`;
  if (run.mode === "multimodal" || pair[0] === pair[1] || variants.length === 0) return null;
  const tokens = variants.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const { cost, tokens: paid } = run.progress;
  const price = cost === null || paid === 0 ? "price unknown" : `≈ ${formatUsd((cost / paid) * tokens)}`;

  async function ask() {
    setState("running");
    const items: Item[] = variants.map(({ side, text }) => {
      const shown = run.shown[pair[side] ?? 0];
      const original = run.items[pair[side] ?? 0];
      const prefix = shown ? (run.search[shown.role] ?? "") : "";
      return { input: prefix + text, tokens: estimateTokens(text), inputType: original?.inputType ?? null };
    });
    const aside = await playground.aside(run, items);
    const [failed] = aside.progress.failures;
    if (failed) return setState(`“${failed[1].message}”`);
    const own = { run: run.id };
    const [whole = 0, ...left] = await playground.worker.ask("between", [
      { a: { ...own, row: pair[0] }, b: { ...own, row: pair[1] } },
      ...variants.map(({ side }, row) => ({
        a: { run: aside.run, row },
        b: { ...own, row: side === 0 ? pair[1] : pair[0] },
      })),
    ]);
    void playground.worker.ask("forget", { run: aside.run });
    const lost: Found["lost"] = [[], []];
    variants.forEach(({ side, part }, at) => {
      const of = lost[side === 0 ? 0 : 1];
      of[part] = whole - (left[at] ?? whole);
    });
    return setState({ of, whole, lost });
  }
  if (typeof state !== "object" || state?.of !== of) {
    return (
      <div className="flex flex-wrap items-center gap-3 pt-1.5">
        <Button size="sm" pending={state === "running"} onClick={() => void ask()}>
          Why are these similar
        </Button>
        <p role="status" className="text-12 text-fg-3">
          {typeof state === "string" && state !== "running"
            ? state
            : `${formatCount(variants.length)} more texts, ≈ ${formatCount(tokens)} tokens, ${price}`}
        </p>
      </div>
    );
  }
  const most = Math.max(...state.lost.flat(), 1e-6);
  return (
    <section aria-label="Why these are similar" className="grid gap-2 pt-3 text-12">
      <p className="text-fg-3">What the similarity of {state.whole.toFixed(2)} loses without each part:</p>
      {sides.map(({ parts }, side) => (
        <p key={side} className="leading-6">
          {parts.map((part, at) => {
            const loss = state.lost[side === 0 ? 0 : 1][at] ?? 0;
            return (
              <span
                key={at}
                className="border-b-3"
                style={{
                  borderColor: `color-mix(in srgb, var(--accent) ${Math.round(Math.max(0, loss / most) * 100)}%, transparent)`,
                }}
              >
                {part}{" "}
                <small className="text-fg-3 tabular-nums">{(Math.round(loss * 100) / 100 || 0).toFixed(2)} </small>
              </span>
            );
          })}
        </p>
      ))}
    </section>
  );
}
