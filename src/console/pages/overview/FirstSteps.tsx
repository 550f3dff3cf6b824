import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { FirstCallChoice } from "../../shell/FirstCallChoice.tsx";
import { snippetTokens } from "../../shell/snippets.ts";
import { useFirstSnippets } from "../../shell/use-first-snippets.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { CodeTabs } from "../../ui/CodeTabs.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Portcullis } from "../../ui/Portcullis.tsx";
import type { FirstStepsSeen } from "./first-steps.ts";
import { Step } from "./Step.tsx";

/** The way to the first answered call, of the installation or of one workspace. Each step ticks itself from what is there. */
export function FirstSteps({ seen: { model, down, hasKey } }: { seen: FirstStepsSeen }) {
  const { path, record, name } = useWorkspace();
  const { snippets, choice } = useFirstSnippets();
  return (
    <section aria-labelledby="first-steps" className="mx-8 mt-5 border-t border-line-2 max-md:mx-4">
      <h2 id="first-steps" className="py-3 text-16">
        Three steps to the first answer{record && ` in ${name}`}
      </h2>
      <ol>
        <Step
          done={model !== undefined}
          title="A model that answers"
          detail={modelWords(model, down)}
          action={
            model === undefined &&
            (down !== undefined ? (
              <Link to={paths.providers(path)} className={buttonClass({ size: "sm" })}>
                Show the providers
              </Link>
            ) : (
              <Link to={paths.newProvider(path)} className={buttonClass({ size: "sm" })}>
                Add a provider
              </Link>
            ))
          }
        />
        <Step
          done={hasKey}
          title="A key to call it with"
          detail={
            hasKey && record
              ? `The keys of ${name} call models at its expense.`
              : "A key lets one app call models, with its own limit and expiry."
          }
          action={
            !hasKey && (
              <Link to={paths.newKey(path)} className={buttonClass({ variant: "primary", size: "sm" })}>
                Create a key
              </Link>
            )
          }
        />
        <Step
          done={false}
          title="The first call"
          detail="Put the key in the environment variable GATEHOUSE_API_KEY and run this. This page shows the call when it arrives."
        >
          <div className="max-w-160">
            <FirstCallChoice choice={choice} />
            <CodeTabs label="The first call" snippets={snippetTokens(snippets)} />
          </div>
          {hasKey && (
            <p role="status" className="flex items-center gap-3 pt-3">
              <Portcullis open={false} />
              Waiting for the first call
            </p>
          )}
          <p className="pt-2 text-12 text-fg-3">
            Or{" "}
            <Link
              to={choice?.chosen === "chat" ? paths.playgroundChat(path) : paths.playground(path)}
              className={`${linkTextClass} underline`}
            >
              try a model in the playground
            </Link>
            , which needs no key.
          </p>
        </Step>
      </ol>
    </section>
  );
}

function modelWords(model: FirstStepsSeen["model"], down: string | undefined): string {
  if (model === undefined && down !== undefined) return `No provider of ${down} can be called at the moment.`;
  if (model === undefined) return "No provider offers a model yet.";
  return model.others === 0 ? `${model.id} is ready.` : `${model.id} and ${model.others} more are ready.`;
}
