import type { ProviderTest } from "#contract/providers.ts";
import { testProvider } from "#contract/providers.ts";
import { useAction } from "../../api/action.ts";

export interface TestRun {
  result: ProviderTest | undefined;
  error: unknown;
  isPending: boolean;
  run: () => void;
}

/** Asks the vendor for its model list with what is stored; nothing is asked until `run`. */
export function useTest(slug: string): TestRun {
  const test = useAction(testProvider);
  return {
    result: test.data?.data,
    error: test.error,
    isPending: test.isPending,
    run: () => test.mutate({ params: { slug } }),
  };
}
