import { apiPath } from "../../api/base.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { LinkText } from "../../ui/LinkText.tsx";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { filterWords } from "./filters.ts";
import type { KeysSearch } from "./search.ts";
import { callSnippets, gatewayBaseUrl, snippetTokens } from "../../shell/snippets.ts";

/** Never had any: what a key is for, and the first call that one makes. */
export function NoKeys({ onCreate, disabledReason }: { onCreate: () => void; disabledReason: string | undefined }) {
  return (
    <EmptyState
      title="No keys yet"
      action={
        <Button variant="primary" shortcut="C" disabledReason={disabledReason} onClick={onCreate}>
          Create your first key
        </Button>
      }
      link={<LinkText href={apiPath("/docs")}>How keys work</LinkText>}
      example={
        <CodeBlock
          label="A first call with curl"
          size="sm"
          tokens={snippetTokens(callSnippets(gatewayBaseUrl())).curl}
        />
      }
    >
      A key lets one app call models through Gatehouse, with its own limit and expiry.
    </EmptyState>
  );
}

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
