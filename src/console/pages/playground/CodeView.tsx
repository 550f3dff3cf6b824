import { useMemo } from "react";
import { counted, formatBytes, formatCount } from "../../format.ts";
import { download } from "../../shell/download.ts";
import { gatewayBaseUrl, snippetTokens } from "../../shell/snippets.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeTabs } from "../../ui/CodeTabs.tsx";
import { currentRun, inputOf, type State } from "./playground.ts";
import { requestCode } from "./request-code.ts";
import { bodyOf, type Settings } from "./settings.ts";

interface CodeViewProps {
  state: State;
  search: Settings;
  model: string;
}

/** The calls as a program would make them: for the run that is shown, or else for the current input. */
export function CodeView({ state, search, model }: CodeViewProps) {
  const run = currentRun(state);
  const { mode, text, rows, blocks } = state;
  const items = useMemo(
    () => run?.items ?? inputOf({ mode, text, rows, blocks }, search).items,
    [run?.items, mode, text, rows, blocks, search],
  );
  const code = useMemo(() => {
    return requestCode(`${gatewayBaseUrl()}/embeddings`, run?.body ?? bodyOf(search, model), items);
  }, [run?.body, items, search, model]);
  const { file } = code;
  if (items.length === 0)
    return (
      <p className="px-(--pane-x) py-6 text-fg-2">Write or paste a text: the call that embeds it is shown here.</p>
    );
  return (
    <div className="px-(--pane-x) py-6">
      {file && (
        <div className="flex flex-wrap items-center gap-3 pb-4">
          <p className="max-w-140 grow text-fg-2">
            {file.name} has a line for{" "}
            {file.calls === 1 ? "the one call" : `each of the ${formatCount(file.calls)} calls`}, with{" "}
            {counted(file.inputs, "input")} in total, each text once, as it is sent.
          </p>
          <Button size="sm" onClick={() => download(file.name, file.lines, "application/jsonl")}>
            Save {file.name} ({formatBytes(new Blob([file.lines]).size)})
          </Button>
        </div>
      )}
      <CodeTabs label="This request" snippets={snippetTokens(code)} />
      <p className="max-w-160 pt-3 text-12 text-fg-3">
        This page also asks for <code>encoding_format: "base64"</code>: the same numbers in a quarter of the bytes.
      </p>
    </div>
  );
}
