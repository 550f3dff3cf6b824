import { Link } from "@tanstack/react-router";
import type { ProviderRecord } from "#contract/providers.ts";
import { useNow } from "../../api/clock.ts";
import { formatClock, formatRelative } from "../../format.ts";
import { paths } from "../../paths.ts";
import { troubleKind, troubleSentence, windowWords } from "../../shell/provider-status.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Time } from "../../ui/Time.tsx";
import { TestResult } from "./TestResult.tsx";
import { useTest } from "./use-test.ts";

/** The 3 px bar at the wall, over both rows of a provider in trouble. */
export function troubleBar({ health }: Pick<ProviderRecord, "health">): string {
  return troubleKind(health.status) === "warning"
    ? "shadow-[inset_3px_0_0_var(--warn-fg)]"
    : "shadow-[inset_3px_0_0_var(--bad-fg)]";
}

/** A row under the provider's own, open by itself: what happened, the answer received, and what to do. */
export function ProviderErrors({ provider, span }: { provider: ProviderRecord; span: number }) {
  return (
    <tr>
      <td colSpan={span} className={cx("border-b border-line p-0", troubleBar(provider))}>
        <div className="sticky left-0 w-[100cqw] max-w-250 px-8 pt-1 pb-4 pl-18 max-md:px-4">
          <ProviderErrorsBody provider={provider} />
        </div>
      </td>
    </tr>
  );
}

export function ProviderErrorsBody({ provider }: { provider: ProviderRecord }) {
  const { path } = useWorkspace();
  const now = useNow(15_000);
  const test = useTest(provider.slug);
  const isWarning = troubleKind(provider.health.status) === "warning";
  const { last_failure: failure, retry_at: retryAt } = provider.health;
  return (
    <>
      <p className={cx("font-semibold wrap-anywhere", isWarning ? "text-warn-fg" : "text-bad-fg")}>
        {happened(provider)}
      </p>
      {failure && (
        <p className="pt-0.5 text-12 text-fg-2">
          <Time iso={failure.at} now={now} />
          {failure.status === null ? ": " : " "}
          {failure.status === null ? (
            <span className="wrap-anywhere text-fg-1">{failure.message.replace(/\.?$/, ".")}</span>
          ) : (
            <>
              it said <span className="wrap-anywhere text-fg-1">“{failure.message}”</span>
            </>
          )}
          {failure.status !== null && <span className="text-fg-3"> HTTP {failure.status}</span>}
        </p>
      )}
      {retryAt && (
        <p className="pt-0.5 text-12 text-fg-2">
          {new Date(retryAt) <= now
            ? "The next call is let through to check whether it has recovered."
            : `Calls are held back. The next is let through ${formatRelative(new Date(retryAt), now)}, at ${formatClock(new Date(retryAt), "UTC", { seconds: true })} UTC to check whether it has recovered.`}
        </p>
      )}
      <div className="flex flex-wrap gap-2 pt-3">
        <Button size="sm" pending={test.isPending} onClick={test.run}>
          Test
        </Button>
        <Link to={paths.editProvider(path, provider.slug)} className={buttonClass({ size: "sm", variant: "quiet" })}>
          {provider.health.status === "credentials" ? "Replace the key" : "Edit"}
        </Link>
      </div>
      <TestResult name={provider.name} test={test} className="mt-3" />
    </>
  );
}

function happened({ name, health: { status, recent } }: ProviderRecord): string {
  const part = status === "failing" ? recent : null;
  const within = part === null ? "" : ` ${windowWords(part.minutes).words}`;
  return `${troubleSentence(name, status, part?.error_rate ?? null)}${within}.`;
}
