import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { apiPath } from "../../api/base.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { LinkText } from "../../ui/LinkText.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import type { Example } from "./examples.ts";
import { underWay } from "./playground.ts";
import type { Run } from "./playground.ts";
import type { PlaygroundSearch } from "./settings.ts";
import type { Playground } from "./use-playground.ts";

interface NoResultsProps {
  playground: Playground;
  run: Run | undefined;
  /** no provider has a model that makes vectors */
  modelless: boolean;
  set: (next: Partial<PlaygroundSearch>) => void;
}

/** In place of vectors: what the page is for and something to try, or why this run has none. */
export function NoResults({ playground, run, modelless, set }: NoResultsProps) {
  const { path } = useWorkspace();
  const [filled, setFilled] = useState(false);
  if (run && underWay(run.progress))
    return <EmptyState title="No vectors yet">They are shown as they come.</EmptyState>;
  // what failed, why, and what helps stands above
  if (run && run.progress.failures.length > 0) return null;
  if (run) return <EmptyState title="No vectors">The run was cancelled before the first answer.</EmptyState>;
  if (modelless)
    return (
      <EmptyState
        title="No provider offers embeddings"
        action={
          <Link to={paths.newProvider(path)} className={buttonClass({ variant: "primary" })}>
            Add a provider
          </Link>
        }
        link={<LinkText href={docs}>How embeddings are asked for</LinkText>}
      >
        The playground turns texts and pictures into vectors, with a model that some provider has.
      </EmptyState>
    );
  async function fill(example: Example) {
    const { fillExample } = await import("./examples.ts");
    await fillExample(playground.store, example);
    setFilled(true);
    set({ view: example === "search" ? "search" : "matrix" });
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
          <Button onClick={() => void fill("images")}>Try pictures</Button>
        </>
      }
      link={<LinkText href={docs}>How embeddings are asked for</LinkText>}
      example={
        <p role="status" className="text-12 text-fg-3">
          {filled
            ? "The example stands in the input. Run it to see what comes of it."
            : "An example fills the input; nothing is sent before you run it."}
        </p>
      }
    >
      Put texts or pictures at the left and run them: what means the same lies close together.
    </EmptyState>
  );
}

const docs = `${apiPath("/docs")}#createEmbeddings`;
