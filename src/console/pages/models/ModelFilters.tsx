import { FilterSearch } from "../../shell/FilterSearch.tsx";
import { FilterSelect } from "../../form/FilterSelect.tsx";
import { modelTypes } from "../../shell/model-types.ts";
import { ColumnPicker } from "../../table/ColumnPicker.tsx";
import { DensitySwitch } from "../../table/DensitySwitch.tsx";
import { modelColumns } from "./model-columns.tsx";
import type { ModelsSearch } from "./search.ts";

interface ModelFiltersProps {
  search: ModelsSearch;
  /** hears what is to be different */
  onChange: (some: ModelsSearch) => void;
  providers: readonly { slug: string; name: string }[];
  hidden: ReadonlySet<string>;
  onColumn: (column: string) => void;
}

const prices = [["unpriced", "Unpriced"]] as const;

export function ModelFilters({ search, onChange, providers, hidden, onColumn }: ModelFiltersProps) {
  return (
    <div className="flex min-h-13 shrink-0 flex-wrap items-center gap-3 px-8 py-2.5 max-md:px-4">
      <FilterSearch
        shortcut="Filter the models"
        label="Filter by id or name"
        placeholder="Id or name"
        value={search.q}
        onChange={(q) => onChange({ q })}
      />
      <FilterSelect
        label="Type"
        any="Any type"
        choices={modelTypes}
        value={search.type}
        onChange={(type) => onChange({ type })}
      />
      <FilterSelect
        label="Provider"
        any="Any provider"
        choices={providers.map(({ slug, name }) => [slug, name])}
        value={search.provider}
        onChange={(provider) => onChange({ provider })}
        // as wide without its choices, which come with the models
        className="w-48 max-md:w-36"
      />
      <FilterSelect
        label="Price"
        any="Any price"
        choices={prices}
        value={search.price}
        onChange={(price) => onChange({ price })}
      />
      <div className="ml-auto flex items-center gap-2">
        <ColumnPicker columns={modelColumns} hidden={hidden} onToggle={onColumn} />
        <DensitySwitch />
      </div>
    </div>
  );
}
