import { FilteredState } from "../../ui/Region.tsx";
import { filterWords } from "./filters.ts";
import type { KeysSearch } from "./search.ts";

interface NothingMatchesProps {
  search: KeysSearch;
  workspace: string;
  onClear: () => void;
}

/** Has some, but none pass: the filters by name. */
export function NothingMatches({ search, workspace, onClear }: NothingMatchesProps) {
  const filters = filterWords(search);
  const title = search.q ? `Nothing matches “${search.q}” in ${workspace}` : `No such keys in ${workspace}`;
  return (
    <FilteredState title={title} onClear={onClear}>
      {filters === "" ? "Names, labels and the beginnings of hashes were searched." : `Filtered by: ${filters}.`}
    </FilteredState>
  );
}
