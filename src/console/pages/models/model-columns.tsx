import { Link } from "@tanstack/react-router";
import { formatCountOrDash } from "../../format.ts";
import { paths } from "../../paths.ts";
import { modelTypeNames } from "../../shell/model-types.ts";
import { providerStatus } from "../../shell/provider-status.ts";
import type { Column } from "../../table/column.ts";
import { cx } from "../../ui/cx.ts";
import { StatusShape } from "../../ui/Status.tsx";
import type { ModelRow } from "./offers.ts";
import { PriceRange } from "./PriceRange.tsx";

/** What the cells need in addition to the row. */
export interface ModelContext {
  /** as written in the address */
  workspace: string;
  /** false where the health could not be read again */
  fresh: boolean;
}

const second = "text-11 text-fg-3 group-data-[density=compact]/table:hidden";
export const modelColumns: readonly Column<ModelRow, ModelContext>[] = [
  {
    id: "id",
    head: "Model",
    width: 240,
    sort: "id",
    fixed: true,
    skeleton: { width: 180, two: true },
    cell: ({ id, name, served }, { workspace }) => (
      <div className="grid grid-cols-1 justify-items-start leading-4">
        <Link
          to={paths.model(workspace, id)}
          className={cx(
            "max-w-full truncate rounded-1 hover:underline",
            served ? "font-semibold text-fg-1" : "text-fg-2",
          )}
        >
          {id}
        </Link>
        <span className={cx(second, "max-w-full truncate")}>{name}</span>
      </div>
    ),
  },
  {
    id: "type",
    head: "Type",
    width: 104,
    skeleton: { width: 64 },
    cell: ({ type }) => modelTypeNames[type],
  },
  {
    id: "providers",
    head: "Served by",
    width: 236,
    skeleton: { width: 140 },
    cell: ({ offers, served }, { fresh }) => {
      if (!served) return <span className="text-fg-3">No provider</span>;
      const shown = offers.filter(({ on }) => on);
      return (
        <span className="flex gap-x-3">
          {shown.slice(0, 3).map(({ provider }) => {
            const { kind, word } = providerStatus(provider, fresh);
            return (
              <span key={provider.slug} className="flex max-w-fit min-w-0 flex-1 items-center gap-1.5">
                <StatusShape kind={kind} size={8} />
                <span dir="auto" className="truncate">
                  {provider.name}
                </span>
                <span className="sr-only"> ({word})</span>
              </span>
            );
          })}
          {shown.length > 3 && <span className="shrink-0 text-fg-3">and {shown.length - 3} more</span>}
        </span>
      );
    },
  },
  {
    id: "price",
    head: "Price, input tokens per million",
    width: 216,
    sort: "price",
    figures: true,
    skeleton: { width: 56 },
    cell: (row) => <PriceRange {...row} />,
  },
  {
    id: "context",
    head: "Context",
    width: 104,
    sort: "context",
    figures: true,
    skeleton: { width: 48 },
    cell: ({ context }) => formatCountOrDash(context),
  },
  {
    id: "dimensions",
    head: "Dimensions",
    width: 116,
    sort: "dimensions",
    figures: true,
    skeleton: { width: 40 },
    cell: ({ dimensions }) => formatCountOrDash(dimensions),
  },
  {
    id: "modalities",
    head: "Takes",
    width: 140,
    skeleton: { width: 56 },
    className: "pr-8",
    cell: ({ modalities }) => modalities.join(", "),
  },
];
