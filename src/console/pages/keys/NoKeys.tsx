import { apiPath } from "../../api/base.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { LinkText } from "../../ui/LinkText.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { snippetTokens } from "../../shell/snippets.ts";
import { useFirstSnippets } from "../../shell/use-first-snippets.ts";

/** Never had any: what a key is for, and the first call that one makes. */
export function NoKeys({ onCreate, disabledReason }: { onCreate: () => void; disabledReason: string | undefined }) {
  const { snippets } = useFirstSnippets();
  return (
    <EmptyState
      title="No keys yet"
      action={
        <Button variant="primary" shortcut="C" disabledReason={disabledReason} onClick={onCreate}>
          Create your first key
        </Button>
      }
      link={<LinkText href={apiPath("/docs")}>How keys work</LinkText>}
      example={<CodeBlock label="A first call with curl" size="sm" tokens={snippetTokens(snippets).curl} />}
    >
      A key lets one app call models through Gatehouse, with its own limit and expiry.
    </EmptyState>
  );
}
