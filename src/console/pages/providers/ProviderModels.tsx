import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { explain } from "../../api/explain.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { useReachable } from "../../api/reachable.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { ledger } from "../../shell/ledger.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Price } from "../../shell/Price.tsx";
import { buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { Status } from "../../ui/Status.tsx";
import { toast } from "../../ui/toast.ts";
import { listWith } from "./model-form.ts";
import { RemoveModelDialog } from "./RemoveModelDialog.tsx";
import { useModels } from "./use-models.ts";

const heads = ["Model", "Status", "Type", "Price for a million tokens", "Context", "Dimensions", "Batch", "Takes"];
const figures = new Set(["Context", "Dimensions", "Batch"]);
const count = (value: number | null) => (value === null ? "–" : formatCount(value));

/** What a provider offers here. */
export function ProviderModels({ provider }: { provider: ProviderRecord }) {
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const [removing, setRemoving] = useState<OfferedModel | null>(null);
  const { models, slug } = provider;
  const unpriced = models.filter((model) => model.pricing === null).length;
  return (
    <section aria-labelledby="models" className="border-t border-line pt-5">
      <div className="flex flex-wrap items-center gap-3 px-8 pb-2 max-md:px-4">
        <h2 id="models" className="text-16 text-[15px]">
          Models
        </h2>
        <span className="text-fg-3">{models.length}</span>
        {reachable && provider.kind !== "builtin" && (
          <span className="ml-auto flex flex-wrap gap-2">
            <Link to={paths.newModel(path, slug)} className={buttonClass({ size: "sm", variant: "quiet" })}>
              Add by hand
            </Link>
            <Link to={paths.pickModels(path, slug)} className={buttonClass({ size: "sm" })}>
              Choose from its list
            </Link>
          </span>
        )}
      </div>
      {unpriced > 0 && (
        <Notice tone="warn" className="mx-8 mb-2 max-w-180 max-md:mx-4">
          {unpriced === 1
            ? "One model has no price: its calls are counted in tokens and use up no limit."
            : `${unpriced} models have no price: their calls are counted in tokens and use up no limit.`}
        </Notice>
      )}
      {models.length === 0 ? (
        <div className="px-8 py-4 max-md:px-4">
          <EmptyState
            title="No models yet"
            action={
              reachable && (
                <Link to={paths.pickModels(path, slug)} className={buttonClass()}>
                  Choose from its list
                </Link>
              )
            }
          >
            Nothing goes to {provider.name} until it offers a model here.
          </EmptyState>
        </div>
      ) : (
        <div className={ledger.scroll} role="region" aria-label="Models, scrolls sideways" tabIndex={0}>
          <table className={ledger.table} aria-label={`Models of ${provider.name}`}>
            <thead>
              <tr>
                {heads.map((head, index) => (
                  <th
                    key={head}
                    scope="col"
                    className={cx(ledger.head, figures.has(head) && ledger.figures, index === 0 && ledger.fixed)}
                  >
                    {head}
                  </th>
                ))}
                <th scope="col" className={ledger.head}>
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {models.map((model) => (
                <Row key={model.id} provider={provider} model={model} onRemove={setRemoving} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="h-5" />
      {removing && <RemoveModelDialog provider={provider} model={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

interface RowProps {
  provider: ProviderRecord;
  model: OfferedModel;
  onRemove: (model: OfferedModel) => void;
}

function Row({ provider, model, onRemove }: RowProps) {
  const { path } = useWorkspace();
  return (
    <tr className={cx("hover:bg-bg-2", !model.enabled && "text-fg-3")}>
      <th scope="row" className={cx(ledger.cell, ledger.fixed, "font-normal")}>
        <div className="grid leading-4">
          <Link
            to={paths.model(path, model.id)}
            className={cx("truncate hover:underline", model.enabled ? "font-semibold text-fg-1" : "text-fg-2")}
          >
            {model.id}
          </Link>
          <span translate="no" className="truncate font-mono text-[10.5px]/3.5 text-fg-3">
            {model.upstream_id}
          </span>
        </div>
      </th>
      <td className={ledger.cell}>
        {model.enabled ? <Status kind="running" word="Offered" /> : <Status kind="off" word="Off" />}
      </td>
      <td className={ledger.cell}>{model.type === "embedding" ? "Embedding" : "Chat"}</td>
      <td className={ledger.cell}>
        <Price pricing={model.pricing} />
      </td>
      <td className={cx(ledger.cell, ledger.figures)}>{count(model.context_length)}</td>
      <td className={cx(ledger.cell, ledger.figures)}>{count(model.dimensions)}</td>
      <td className={cx(ledger.cell, ledger.figures)}>{count(model.max_batch)}</td>
      <td className={cx(ledger.cell, "whitespace-nowrap")}>{model.input_modalities.join(", ")}</td>
      <td className={cx(ledger.cell, "text-right")}>
        <ModelMenu provider={provider} model={model} onRemove={onRemove} />
      </td>
    </tr>
  );
}

function ModelMenu({ provider, model, onRemove }: RowProps) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const change = useModels(provider.slug);
  async function setEnabled(enabled: boolean): Promise<void> {
    const { id, upstream_id, type } = model;
    try {
      await change((models) => listWith(models, [{ id, upstream_id, type, enabled }]));
      toast({
        message: enabled ? `${id} is offered again.` : `${id} is offered no more.`,
        action: { label: "Undo", onSelect: () => void setEnabled(!enabled) },
      });
    } catch (error) {
      const { title, said } = explain(error);
      toast({ tone: "trouble", message: `${id} was not changed. ${said ?? title}` });
    }
  }
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${model.id}`}>
          <Ellipsis size={16} aria-hidden="true" />
        </IconButton>
      }
      items={[
        {
          label: model.pricing === null ? "Set a price" : "Edit",
          disabledReason: reason,
          onSelect: () => void navigate({ to: paths.editModel(path, provider.slug), search: { model: model.id } }),
        },
        {
          label: model.enabled ? "Switch off" : "Switch on",
          disabledReason: reason,
          onSelect: () => void setEnabled(!model.enabled),
        },
        { kind: "line" },
        {
          label: "Remove",
          danger: true,
          disabledReason: provider.kind === "builtin" ? "The built-in model stays; switch it off instead." : reason,
          onSelect: () => onRemove(model),
        },
      ]}
    />
  );
}
