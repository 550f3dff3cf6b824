import { embeddings } from "./embeddings.ts";
import type { Relay } from "./model-call.ts";
import type { RelayParts } from "./parts.ts";

/** The relay of this process. */
export function createRelay(parts: RelayParts): Relay {
  return {
    embeddings: (call) => embeddings(parts, call),
    close: () => parts.ledger.close(),
  };
}
