import { useState } from "react";
import type { Output } from "#contract/endpoint.ts";
import { testDestination, type TestDestinationBody } from "#contract/forwarding.ts";
import { call } from "../../api/call.ts";

export type TestResult = Output<typeof testDestination>["data"];

export interface TestRun {
  result: TestResult | undefined;
  error: unknown;
  isPending: boolean;
  /** what the test was made with, as it was told */
  run: (body: TestDestinationBody) => void;
  forget: () => void;
}

/** Sends a marked test with unsaved settings. They may hold secrets, so nothing of them stays in a cache. */
export function useTest(): TestRun {
  const [state, setState] = useState<Pick<TestRun, "result" | "error" | "isPending">>(untested);
  return {
    ...state,
    run: (body) => {
      setState({ ...untested, isPending: true });
      call(testDestination, { body }).then(
        ({ data }) => setState({ ...untested, result: data }),
        (error: unknown) => setState({ ...untested, error }),
      );
    },
    forget: () => setState(untested),
  };
}

const untested = { result: undefined, error: null, isPending: false };
