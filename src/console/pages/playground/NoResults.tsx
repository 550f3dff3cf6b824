import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { apiPath } from "../../api/base.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { LinkButton, LinkText } from "../../ui/LinkText.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import type { Example } from "./examples.ts";
import { closenessSentence } from "./models.ts";
import { underWay, type Run } from "./playground.ts";
import type { PlaygroundSearch } from "./settings.ts";
import type { Playground } from "./use-playground.ts";

interface NoResultsProps {
  playground: Playground;
  run: Run | undefined;
  /** no provider has a model that makes vectors */
  modelless: boolean;
  /** what would be asked now */
  model: string;
  /** rows that would be sent now */
  ready: number;
  set: (next: Partial<PlaygroundSearch>) => void;
}

/** In place of vectors: what the page is for and something to try, or why this run has none. */
export function NoResults({ playground, run, model, modelless, ready, set }: NoResultsProps) {
  const { path } = useWorkspace();
  const [filled, setFilled] = useState(false);
  if (run && underWay(run.progress)) return <EmptyState title="No vectors yet">They appear as they arrive.</EmptyState>;
  // what failed, why, and what helps is shown above
  if (run && run.progress.failures.length > 0) return null;
  if (run) return <EmptyState title="No vectors">The run was canceled before the first answer.</EmptyState>;
  if (modelless)
    return (
      <EmptyState
        title="No provider offers embeddings"
        action={
          <Link to={paths.newProvider(path)} className={buttonClass({ variant: "primary" })}>
            Add a provider
          </Link>
        }
        link={<LinkText href={docs}>How to request embeddings</LinkText>}
      >
        The playground turns texts and images into vectors, with a model from one of your providers.
      </EmptyState>
    );
  async function fill(example: Example) {
    const { fillExample } = await import("./examples.ts");
    await fillExample(playground.store, example);
    setFilled(true);
    set({ view: example === "search" ? "search" : "matrix" });
  }
  const said = (
    <p role="status" className="text-12 text-fg-3">
      {filled
        ? "The example is in the input. Run it to see the result."
        : "An example fills the input; nothing is sent until you run it."}
    </p>
  );
  if (ready > 0) {
    const { mode } = playground.store.get();
    const one = mode === "text" ? "text" : mode === "batch" ? "row" : "block";
    return (
      <EmptyState
        title={`${formatCount(ready)} ${ready === 1 ? one : `${one}s`} ready`}
        action={
          <>
            <LinkButton onClick={() => void fill("pairs")}>Try pairs of texts</LinkButton>
            <LinkButton onClick={() => void fill("search")}>Try a search</LinkButton>
            <LinkButton onClick={() => void fill("images")}>Try images</LinkButton>
          </>
        }
        example={said}
      >
        Press Run: <span className="mono text-12 text-fg-1">{model}</span> makes a vector of each.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="See what a vector knows"
      action={
        <>
          <Button variant="primary" onClick={() => void fill("pairs")}>
            Try pairs of texts
          </Button>
          <Button onClick={() => void fill("search")}>Try a search</Button>
          <Button onClick={() => void fill("images")}>Try images</Button>
          <Button onClick={() => void playground.showExample()}>Show the example map</Button>
        </>
      }
      link={<LinkText href={docs}>How to request embeddings</LinkText>}
      example={said}
    >
      Put texts or images into the input and run them. With <span className="mono text-12 text-fg-1">{model}</span>:{" "}
      {closenessSentence(model)}
    </EmptyState>
  );
}

const docs = `${apiPath("/docs")}#createEmbeddings`;
