import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Table } from "../../table/Table.tsx";
import { buttonClass } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { modelColumns, type ModelContext } from "./model-columns.tsx";
import { ModelMenu } from "./ModelMenu.tsx";
import { RemoveModelDialog } from "./RemoveModelDialog.tsx";

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
            ? "One model has no price, so keys with a limit cannot use it. Give it one, unless GATEHOUSE_UNPRICED is set to allow."
            : `${unpriced} models have no price, so keys with a limit cannot use them. Give them one, unless GATEHOUSE_UNPRICED is set to allow.`}
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
        <Table
          label={`Models of ${provider.name}`}
          columns={modelColumns}
          context={{ workspace: path, provider, onRemove: setRemoving }}
          rows={models}
          rowId={({ id }) => id}
          rowClass={({ enabled }) => !enabled && "text-fg-3"}
          actions={menu}
        />
      )}
      <div className="h-5" />
      {removing && <RemoveModelDialog provider={provider} model={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

function menu(model: OfferedModel, { provider, onRemove }: ModelContext) {
  return <ModelMenu provider={provider} model={model} onRemove={onRemove} />;
}
