import { FirstCall } from "./FirstCall.tsx";
import { FirstSnippets } from "./FirstSnippets.tsx";
import type { Made } from "./make-key.ts";

/** A first call to copy, and the light that waits for it. */
export function FirstUse({ made: { record, vault } }: { made: Made }) {
  return (
    <>
      <FirstSnippets vault={vault} />
      <FirstCall hash={record.hash} since={new Date(record.created_at)} />
    </>
  );
}
