import { useQueryClient } from "@tanstack/react-query";
import { apiPath } from "../api/base.ts";
import { shownReads } from "../api/query.ts";
import { useStore } from "../api/store.ts";
import { Button } from "../ui/Button.tsx";
import { highlight } from "../ui/code-tokens.ts";
import { CodeBlock } from "../ui/CodeBlock.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { pageCalls } from "./overlays.ts";

/** The calls that a page was made from: a program can get everything that the console shows. */
export function PageCalls() {
  return useStore(pageCalls) ? <Calls /> : null;
}

function Calls() {
  const client = useQueryClient();
  const close = () => pageCalls.set(false);
  const code = shownReads(client)
    .map((path) => curl(location.origin + apiPath(path)))
    .join("\n\n");
  return (
    <Dialog
      title="This page as API calls"
      description="Each needs a management key in the variable GATEHOUSE_MANAGEMENT_KEY."
      onDismiss={close}
      outside="dismiss"
      className="w-180"
      footer={<Button onClick={close}>Close</Button>}
    >
      <div className="pt-3">
        <CodeBlock label="The page's calls as curl commands" tokens={highlight(code, "shell")} copy />
      </div>
    </Dialog>
  );
}

/** The URL in single quotes, so that the shell interprets nothing in it. */
function curl(address: string): string {
  return `curl '${address.replaceAll("'", "%27")}' \\\n  -H "Authorization: Bearer $GATEHOUSE_MANAGEMENT_KEY"`;
}
