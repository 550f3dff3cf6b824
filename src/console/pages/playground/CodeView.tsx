import { apiPath } from "../../api/base.ts";
import { highlight } from "../../ui/code-tokens.ts";
import { CodeTabs } from "../../ui/CodeTabs.tsx";
import { builtInModel } from "./models.ts";
import { currentRun, inputOf } from "./playground.ts";
import type { State } from "./playground.ts";
import { requestCode } from "./request-code.ts";
import { bodyOf } from "./settings.ts";
import type { PlaygroundSearch } from "./settings.ts";

/** The request as a program would make it: of the run that is shown, else of what stands in the input. */
export function CodeView({ state, search }: { state: State; search: PlaygroundSearch }) {
  const run = currentRun(state);
  const items = run?.items ?? inputOf(state, search).items;
  const body = run?.body ?? bodyOf(search, search.model ?? builtInModel(state.mode));
  const code = requestCode(
    new URL(apiPath("/embeddings"), location.href).href,
    body,
    items.slice(0, 6).map(({ input }) => input),
  );
  return (
    <div className="p-6">
      <CodeTabs
        label="This request"
        snippets={{
          curl: highlight(code.curl, "shell"),
          typescript: highlight(code.typescript, "typescript"),
          python: highlight(code.python, "python"),
        }}
      />
    </div>
  );
}
