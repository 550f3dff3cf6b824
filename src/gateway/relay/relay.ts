import { embeddings } from "./embeddings.ts";
import { chat } from "./chat.ts";
import type { Relay } from "./model-call.ts";
import type { RelayParts } from "./parts.ts";

/** The relay of this process. */
export function createRelay(parts: RelayParts): Relay {
  return {
    embeddings: (call) => embeddings(parts, call),
    chat: (call) => chat(parts, call),
    close: async () => {
      parts.rates.close();
      await parts.ledger.close();
    },
  };
}
