import type { ProviderRecord } from "#contract/providers.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { formatCountOrDash } from "../../format.ts";
import { paths } from "../../paths.ts";
import { modelTypeNames } from "../../shell/model-types.ts";
import { Price } from "../../shell/Price.tsx";
import { UpstreamName } from "../../shell/UpstreamName.tsx";
import type { Column } from "../../table/column.ts";
import { Status } from "../../ui/Status.tsx";

export interface ModelContext {
  /** as written in the address */
  workspace: string;
  provider: ProviderRecord;
  onRemove: (model: OfferedModel) => void;
}

export const modelColumns: readonly Column<OfferedModel, ModelContext>[] = [
  {
    id: "id",
    head: "Model",
    width: 224,
    fixed: true,
    cell: (model, { workspace }) => (
      <UpstreamName
        to={paths.model(workspace, model.id)}
        name={model.id}
        upstreamId={model.upstream_id}
        on={model.enabled}
      />
    ),
  },
  {
    id: "status",
    head: "Status",
    width: 88,
    cell: ({ enabled }) => (enabled ? <Status kind="running" word="Offered" /> : <Status kind="off" word="Off" />),
  },
  { id: "type", head: "Type", width: 96, cell: ({ type }) => modelTypeNames[type] },
  {
    id: "price",
    head: "Price, tokens per million",
    width: 176,
    cell: ({ pricing }) => <Price pricing={pricing} />,
  },
  {
    id: "context",
    head: "Context",
    width: 72,
    figures: true,
    cell: (model) => formatCountOrDash(model.context_length),
  },
  {
    id: "dimensions",
    head: "Dimensions",
    width: 88,
    figures: true,
    cell: (model) => formatCountOrDash(model.dimensions),
  },
  { id: "batch", head: "Batch", width: 60, figures: true, cell: (model) => formatCountOrDash(model.max_batch) },
  { id: "takes", head: "Takes", width: 80, cell: (model) => model.input_modalities.join(", ") },
];
