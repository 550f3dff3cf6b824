import { invalid } from "../domain/refusal.ts";
import { imageAddressProblem } from "../providers/images.ts";
import { imageAddress } from "../providers/messages.ts";
import type { EmbeddingItem } from "../providers/provider.ts";
import { isJson } from "./embeddings-request.ts";
import type { RelayParts } from "./parts.ts";

/**
 * Images may be given by address, and somebody will fetch it: this program or the vendor, which may stand in the same
 * network as this program. So an address that leads into a private network goes no further.
 * @throws Refusal invalid_request naming the image
 */
export function refuseInputImages({ callerAddress }: RelayParts, items: readonly EmbeddingItem[]): void {
  items.forEach((item, index) => {
    if (item.type !== "block") return;
    item.parts.forEach((part, at) => {
      if (part.type !== "image_url") return;
      const problem = imageAddressProblem(part.image_url.url, callerAddress);
      if (problem !== null) throw invalid(`input.${index}.content.${at}.image_url.url`, problem);
    });
  });
}

/** The same for the images of a conversation. */
export function refuseMessageImages({ callerAddress }: RelayParts, messages: readonly unknown[]): void {
  messages.forEach((message, index) => {
    const content = isJson(message) ? message["content"] : null;
    if (!Array.isArray(content)) return;
    content.forEach((part: unknown, at) => {
      if (!isJson(part) || part["type"] !== "image_url") return;
      const problem = imageAddressProblem(imageAddress(part), callerAddress);
      if (problem !== null) throw invalid(`messages.${index}.content.${at}.image_url.url`, problem);
    });
  });
}
