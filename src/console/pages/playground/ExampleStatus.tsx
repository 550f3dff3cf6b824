import { formatCount } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import type { Run } from "./playground.ts";
import type { Playground } from "./use-playground.ts";

/** What the example map is, and the way from it to one's own texts. */
export function ExampleStatus({ playground, run }: { playground: Playground; run: Run }) {
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line px-(--pane-x) py-2">
      <div className="min-w-0 grow basis-72 @max-[460px]/results:contents">
        <h2 className="font-semibold text-fg-1 @max-[460px]/results:basis-full">
          Six topics, found without labels. Type a sentence.
        </h2>
        <p className="text-12 text-fg-2 @max-[460px]/results:grow">
          {formatCount(run.items.length)} example sentences
          {/* on a phone the picture needs the room, and the model is named above */}
          <span className="@max-[460px]/results:sr-only">
            , embedded in advance with <span className="mono text-fg-1">{run.model}</span>. Yours is embedded when you
            press Ask.
          </span>
        </p>
      </div>
      <Button size="sm" onClick={playground.clearExample}>
        Clear the example
      </Button>
    </div>
  );
}
