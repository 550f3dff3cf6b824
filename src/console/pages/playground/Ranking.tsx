import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { listEmbeddingModels, playgroundHeader } from "#contract/embeddings.ts";
import { listKeys } from "#contract/keys.ts";
import { listModels, type ModelRecord } from "#contract/models.ts";
import { createRerank } from "#contract/rerank.ts";
import { readAgain } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { useReachable } from "../../api/connectivity.ts";
import { query as read } from "../../api/query.ts";
import { FormFailure } from "../../form/FormFailure.tsx";
import { counted, formatUsd } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import type { Ranked } from "../../vectors/protocol.ts";
import { cosineText } from "../../vectors/similarity-scale.ts";
import { defaultReranker, priceOf } from "./models.ts";
import { change, type PlaygroundStore, type Run } from "./playground.ts";
import { rerankedRows, rerankSentence, scoreTexts, textRows } from "./rerank.ts";
import { RowFace } from "./RowFace.tsx";

interface RankingProps {
  store: PlaygroundStore;
  run: Run;
  query: string;
  ranked: Ranked;
}

/** Rows by their cosine with a query. On request another model orders them, and each row has both ranks. */
export function Ranking({ store, run, query, ranked }: RankingProps) {
  const rerank = useRerank(run);
  const byCosine = Array.from(ranked.rows);
  const list = `${query} ${byCosine.join()}`;
  const current = rerank.variables?.list === list ? rerank : null;
  const order = current?.data && rerankedRows(current.data, current.variables?.rows ?? [], byCosine);
  const scoreOf = order && scoreTexts(order.map(({ score }) => score));
  const widest = Math.max(0, ...(scoreOf ?? []).map((text) => text.length));
  const rows = order ?? byCosine.map((row, at) => ({ row, score: ranked.scores[at] ?? 0, cosineRank: at + 1 }));
  return (
    <>
      {order && (
        <p className="flex gap-3 border-t border-line-2 py-1 text-12 text-fg-3" aria-hidden="true">
          <span className="w-8 text-right">Rank</span>
          <span className="w-16 text-right">By cosine</span>
          <span className="min-w-14 text-right" style={{ width: `${widest}ch` }}>
            Score
          </span>
        </p>
      )}
      <ol className="border-t border-line-2">
        {rows.map(({ row, score, cosineRank }, at) => (
          <li key={row} className="border-b border-line">
            <button
              type="button"
              onClick={() => change(store, { selected: row })}
              className="flex w-full gap-3 py-1 text-left hover:bg-bg-3"
            >
              <span className={cx("shrink-0 text-right text-fg-3 tabular-nums", order ? "w-8" : "w-6")}>{at + 1}</span>
              {order && (
                <span className="w-16 shrink-0 text-right tabular-nums">
                  <span className="sr-only">by cosine </span>
                  <span className={cosineRank === at + 1 ? "text-fg-3" : ""}>{cosineRank}</span>
                </span>
              )}
              <span
                className={cx("shrink-0 tabular-nums", order ? "min-w-14 text-right" : "w-10")}
                style={scoreOf ? { width: `${widest}ch` } : undefined}
              >
                {scoreOf?.[at] ?? cosineText(score)}
              </span>
              <RowFace shown={run.shown[row]} most={200} side="size-9" className="min-w-0 grow truncate" />
            </button>
          </li>
        ))}
      </ol>
      <Rerank
        run={run}
        rows={textRows(byCosine, run.shown)}
        of={byCosine.length}
        pending={current?.isPending === true}
        onRerank={(model, sent) => rerank.mutate({ model, query, rows: sent, list })}
      />
      {current?.data && order && (
        <p role="status" className="flex flex-wrap items-center gap-3 pt-1 text-12 text-fg-2">
          {rerankSentence(current.data.model, order, run.shown)}. {costOf(current.data.usage)}.
          <Button size="sm" onClick={rerank.reset}>
            Show the order by cosine
          </Button>
        </p>
      )}
      <FormFailure failure={current?.error ?? null} />
    </>
  );
}

function costOf({ cost, total_tokens: tokens }: { cost: number; total_tokens?: number | undefined }): string {
  return [tokens !== undefined && counted(tokens, "token"), cost > 0 ? formatUsd(cost) : "free"]
    .filter(Boolean)
    .join(", ");
}

interface Reranking {
  model: string;
  query: string;
  /** places in the run, in the order in which they are sent */
  rows: readonly number[];
  /** of which list this is the order */
  list: string;
}

function useRerank(run: Run) {
  const client = useQueryClient();
  return useMutation({
    // the answer repeats the rows' texts, which stay nowhere but in the run
    gcTime: 0,
    mutationFn: async ({ model, query, rows }: Reranking) => {
      const documents = rows.map((row) => run.shown[row]?.text ?? "");
      const provider = run.search.collect === false ? { provider: { data_collection: "deny" as const } } : {};
      const body = { model, query, documents, ...provider };
      return await call(createRerank, { body }, { headers: { [playgroundHeader]: run.workspaceId } });
    },
    // a refusal may have been charged too
    onSettled: () => readAgain(client, listKeys.name),
  });
}

interface RerankProps {
  run: Run;
  /** those that are texts */
  rows: readonly number[];
  /** how many there are with those that are not */
  of: number;
  pending: boolean;
  onRerank: (model: string, rows: readonly number[]) => void;
}

/** Asks which model is to order the rows. An embedding model does it too, by its own cosines. */
function Rerank({ run, rows, of, pending, onRerank }: RerankProps) {
  const reach = useReachable();
  const rerankers = useQuery(read(listModels, { query: { output_modalities: "rerank" } })).data?.data ?? [];
  const embedders = useQuery(read(listEmbeddingModels, {})).data?.data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const model =
    [...rerankers, ...embedders].find(({ id }) => id === chosen) ?? defaultReranker(rerankers, embedders, run.model);
  if (model === undefined) return null;
  const isEmpty = rows.length === 0 && "These rows are not texts";
  const noWorkspace = run.workspaceId === "" && "The workspaces have not loaded";
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-2">
      <NativeSelect
        size="sm"
        aria-label="Model that reranks"
        className="min-w-0 basis-64"
        value={model.id}
        onChange={(event) => setChosen(event.target.value)}
      >
        {options("Rerank models", rerankers)}
        {options("Embedding models, by their cosine", embedders)}
      </NativeSelect>
      <Button
        size="sm"
        pending={pending}
        disabledReason={isEmpty || noWorkspace || (!reach.reachable && "The gateway cannot be reached")}
        onClick={() => onRerank(model.id, rows)}
      >
        Rerank these {rows.length < of && rows.length > 0 ? `${rows.length} of ${of}` : of}
      </Button>
      <span className="text-12 text-fg-3">One call, {priceOf(model)}</span>
    </div>
  );
}

function options(label: string, models: readonly ModelRecord[]) {
  if (models.length === 0) return null;
  return (
    <optgroup label={label}>
      {models.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </optgroup>
  );
}
