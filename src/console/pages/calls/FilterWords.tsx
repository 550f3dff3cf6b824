import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useRef } from "react";
import { getKey } from "#contract/keys.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { Button } from "../../ui/Button.tsx";
import { focusNext, otherRows } from "../../ui/return-focus.ts";
import { filterWords, type FilterWord } from "./filter-words.ts";
import type { CallsSearch } from "./search.ts";

interface FilterWordsProps {
  search: CallsSearch;
  onRemove: (name: keyof CallsSearch) => void;
  onClear: () => void;
}

/** The filters in use, as words that a click removes. */
export function FilterWords({ search, onRemove, onClear }: FilterWordsProps) {
  const list = useRef<HTMLUListElement>(null);
  const { key, provider } = search;
  const chosenKey = useQuery({ ...query(getKey, { params: { hash: key ?? "" } }), enabled: key !== undefined });
  const providers = useQuery(everyProvider).data?.data ?? [];
  const words = filterWords(search, {
    key: key === undefined ? undefined : chosenKey.data?.data.name,
    provider: providers.find(({ slug }) => slug === provider)?.name,
  });
  if (words.length === 0) return null;
  const remove = (word: FilterWord, button: HTMLElement) => {
    const others = otherRows(button);
    onRemove(word.name);
    // with the last word the list goes, and the heading is where the focus lands
    requestAnimationFrame(() => focusNext(others.filter((row) => list.current?.contains(row))));
  };
  return (
    <ul ref={list} className="flex flex-wrap items-center gap-2 px-8 pb-3 max-md:px-4">
      {words.map((word) => (
        <li key={word.name} className="min-w-0">
          <button
            type="button"
            onClick={({ currentTarget }) => remove(word, currentTarget)}
            className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-1 border border-accent-line bg-accent-bg px-2 py-0.5 text-left text-12 text-fg-1 hover:border-accent max-md:min-h-9"
          >
            <span className="sr-only">Remove the filter </span>
            {word.kind !== "" && <span className="shrink-0 text-fg-2">{word.kind}</span>}
            <bdi className="min-w-0 font-semibold wrap-anywhere">{word.value}</bdi>
            <X size={12} aria-hidden="true" className="shrink-0 text-fg-2" />
          </button>
        </li>
      ))}
      <li>
        <Button variant="quiet" size="sm" shortcut="esc" onClick={onClear}>
          Clear filters
        </Button>
      </li>
    </ul>
  );
}
