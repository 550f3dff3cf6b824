import { ApiError } from "../../api/errors.ts";
import { errorText } from "../../api/error-messages.ts";
import { formatLatency } from "../../format.ts";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Status } from "../../ui/Status.tsx";
import type { TestRun } from "./use-test.ts";

const stepWords = { address: "Address", connection: "Connection", answer: "Answer" } as const;

interface TestAnswerProps {
  test: Pick<TestRun, "result" | "error">;
  /** whose answer it is, where several may be on the page */
  name?: string;
}

/** How far a test came, and what the destination said. */
export function TestAnswer({ test, name = "The destination" }: TestAnswerProps) {
  const { result, error } = test;
  if (error !== null && error !== undefined) {
    const fields = error instanceof ApiError && error.issues.length > 0;
    return (
      <p role="alert" className="pt-2 text-12 text-bad-fg">
        {fields ? "The test needs the connection filled in. " : "The test did not run. "}
        {errorText(error)}
      </p>
    );
  }
  if (!result) return null;
  const { passed, steps, status, body, message, latency_ms, request } = result;
  return (
    <div role="status" className="grid gap-1 pt-2 text-12">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Status kind={passed ? "running" : "trouble"} word={passed ? "Test passed" : "Test failed"} />
        <span className="text-fg-3">
          {[status === null ? null : `HTTP ${status}`, latency_ms > 0 ? formatLatency(latency_ms) : null]
            .filter((one) => one !== null)
            .join(" · ")}
        </span>
      </p>
      <p className="break-words text-fg-2">{message}</p>
      <ul aria-label="How far it got" className="flex flex-wrap gap-x-4 gap-y-1">
        {steps.map(({ step, ok }) => (
          <li key={step}>
            <Status kind={ok ? "running" : "trouble"} word={stepWords[step]} />
          </li>
        ))}
      </ul>
      <Disclosure summary="Show the answer" className="text-12">
        <ul className="grid gap-1">
          {steps.map(
            ({ step, detail }) =>
              detail !== "" && (
                <li key={step} className="break-words text-fg-2">
                  {stepWords[step]}: {detail}
                </li>
              ),
          )}
        </ul>
        <pre
          tabIndex={0}
          role="region"
          aria-label={`${name}: the answer to the test`}
          className="mt-2 max-h-48 overflow-auto bg-bg-2 px-3 py-2 font-mono text-[12px]/[19px] whitespace-pre-wrap break-words"
        >
          {`${request.method} ${request.url}\n${body ?? "No body."}`}
        </pre>
      </Disclosure>
    </div>
  );
}
