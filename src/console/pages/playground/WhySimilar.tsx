import { useEffect, useRef, useState } from "react";
import { counted } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { partsOf, withoutEach } from "../../vectors/leave-one-out.ts";
import type { Item } from "../../vectors/plan.ts";
import type { Run } from "./playground.ts";
import type { RowOf } from "../../vectors/protocol.ts";
import { estimateTokens } from "../../vectors/tokens.ts";
import { priceWords } from "./estimate.ts";
import { useAnswer } from "./use-answer.ts";
import type { Playground } from "./use-playground.ts";

interface WhySimilarProps {
  playground: Playground;
  run: Run;
  pair: readonly [number, number];
  /** the dimensions that are looked at; null: all */
  used: number | null;
}

/**
 * Which parts of two texts make them similar: each is embedded again without one part at a time. Those vectors are kept
 * as long as the pair is, so that another cut of the dimensions needs no new call.
 */
export function WhySimilar({ playground, run, pair, used }: WhySimilarProps) {
  const { worker } = playground;
  const [state, setState] = useState<{ aside: number } | { trouble: string } | "running" | null>(null);
  const asked = useRef<number | "left" | null>(null);
  useEffect(() => {
    asked.current = null;
    return () => {
      if (typeof asked.current === "number") void worker.ask("forget", { run: asked.current });
      asked.current = "left";
    };
  }, [worker]);
  const texts = pair.map((row) => run.shown[row]?.text ?? "");
  const sides = texts.map((text) => ({ parts: partsOf(text), left: withoutEach(partsOf(text)) }));
  const variants = sides.flatMap(({ left }, side) => left.map(({ part, text }) => ({ side, part, text })));
  const aside = state !== null && typeof state === "object" && "aside" in state ? state.aside : null;
  const [a, b] = pair.map((row) => ({ run: run.id, row })) as [RowOf, RowOf];
  const pairs = variants.map(({ side }, row) => ({ a: { run: aside ?? 0, row }, b: side === 0 ? b : a }));
  const found = useAnswer(worker, "between", aside === null ? null : { used, pairs: [{ a, b }, ...pairs] }).data;
  if (run.mode === "multimodal" || pair[0] === pair[1] || variants.length === 0) return null;
  const tokens = variants.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const { cost, tokens: paid } = run.progress;
  const price = priceWords(cost === null || paid === 0 ? null : (cost / paid) * tokens);

  async function ask() {
    setState("running");
    const items: Item[] = variants.map(({ side, text }) => {
      const shown = run.shown[pair[side] ?? 0];
      const original = run.items[pair[side] ?? 0];
      const prefix = shown ? run.search[shown.role] : "";
      return { input: prefix + text, tokens: estimateTokens(text), inputType: original?.inputType ?? null };
    });
    const made = await playground.aside(run, items);
    const [failed] = made.progress.failures;
    if (asked.current === "left" || failed) void worker.ask("forget", { run: made.run });
    if (asked.current === "left") return undefined;
    if (failed) return setState({ trouble: `“${failed[1].message}”` });
    asked.current = made.run;
    return setState({ aside: made.run });
  }
  if (!found) {
    return (
      <div className="flex flex-wrap items-center gap-3 pt-1.5">
        <Button size="sm" pending={state === "running" || aside !== null} onClick={() => void ask()}>
          Why are these similar
        </Button>
        <p role="status" className="text-12 text-fg-3">
          {state !== null && typeof state === "object" && "trouble" in state
            ? state.trouble
            : `${counted(variants.length, "more text")}, ≈ ${counted(tokens, "token")}, ${price}`}
        </p>
      </div>
    );
  }
  const [whole = 0, ...left] = found;
  /** by side and part: how much similarity is lost without it */
  const lost: [number[], number[]] = [[], []];
  variants.forEach(({ side, part }, at) => {
    lost[side === 0 ? 0 : 1][part] = whole - (left[at] ?? whole);
  });
  const most = Math.max(...lost.flat(), 1e-6);
  return (
    <section aria-label="Why these are similar" className="grid gap-2 pt-3 text-12">
      <p className="text-fg-3">What the similarity of {whole.toFixed(2)} loses without each part:</p>
      {sides.map(({ parts }, side) => (
        <p key={side} className="leading-6">
          {parts.map((part, at) => {
            const loss = lost[side === 0 ? 0 : 1][at] ?? 0;
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
