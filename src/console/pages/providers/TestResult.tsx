import { errorText } from "../../api/error-messages.ts";
import { formatCount, formatLatency } from "../../format.ts";
import { Notice } from "../../ui/Notice.tsx";
import type { TestRun } from "./use-test.ts";

/** What a test found, in the vendor's own words where it refused. */
export function TestResult({ name, test, className }: { name: string; test: TestRun; className?: string }) {
  if (test.error) {
    return (
      <Notice tone="bad" role="alert" className={className}>
        The test did not run. {errorText(test.error)}
      </Notice>
    );
  }
  const { result } = test;
  if (!result) return null;
  const facts = [
    result.status === null ? undefined : `HTTP ${result.status}`,
    result.latency_ms > 0 ? formatLatency(result.latency_ms) : undefined,
  ].filter((fact) => fact !== undefined);
  if (result.ok) {
    return (
      <Notice tone="ok" role="status" className={className}>
        <b className="font-semibold">{name} answered.</b>{" "}
        {result.status === null
          ? `${result.message}.`
          : `It offers ${formatCount(result.models.length)} ${result.models.length === 1 ? "model" : "models"}.`}{" "}
        <span className="text-fg-3">{facts.join(" · ")}</span>
      </Notice>
    );
  }
  return (
    <Notice tone="bad" role="alert" className={className}>
      <b className="font-semibold">{result.status === null ? `${name} did not answer.` : `${name} refused.`}</b>{" "}
      <span className="break-words">{result.status === null ? `${result.message}.` : `“${result.message}”`}</span>{" "}
      <span className="text-fg-3">{facts.join(" · ")}</span>
    </Notice>
  );
}
