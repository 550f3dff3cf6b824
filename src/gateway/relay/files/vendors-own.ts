import type { ConversationApi } from "#contract/api-type.ts";
import { invalid } from "../../domain/refusal.ts";
import type { Candidate, PassedOver } from "../../domain/routing/routing.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import type { ChatRequest } from "../chat/request.ts";
import { namedFiles, ownPrefix } from "./named-files.ts";
import { type VendorId, vendorIdsIn } from "./vendor-ids.ts";

/** What a request names by ids of a vendor's, in whose account other keys may have the same. */
export interface VendorsOwn {
  /** where the first id is; a file's before others */
  readonly path: string;
  readonly isFile: boolean;
}

/**
 * Null: it names nothing.
 * @throws Refusal invalid_request for a file that the gateway keeps, where it cannot be
 */
export function vendorsOwnIn({ body, passed }: ChatRequest, api: ConversationApi): VendorsOwn | null {
  const json = passed?.json ?? body;
  let first: VendorId | null = null;
  for (const one of vendorIdsIn(json, api)) {
    if (one.id.startsWith(ownPrefix)) throw misplaced(one.path, namedFiles[api](json));
    if (first === null || (one.isFile && !first.isFile)) first = one;
  }
  return first;
}

/** The gateway's own are in the request already, if they were recognized. */
function misplaced(path: string, named: ReturnType<(typeof namedFiles)[ConversationApi]>) {
  if (named.some((one) => one.path === path)) return invalid(path, "must be written without escapes");
  return invalid(path, "is a file that the gateway keeps, which cannot be used here");
}

/**
 * Why a candidate cannot be sent such an id; null: it can.
 * @param isSent whether it gets the caller's members as they are
 */
export function cannotOpen(
  own: VendorsOwn | null,
  { api, isSent }: { readonly api: ConversationApi; readonly isSent: boolean },
  { provider, byok }: Candidate,
): string | null {
  if (own === null || (!own.isFile && !isSent)) return null;
  const dialect = adapters[provider.kind]?.files;
  const shape = api === "messages" ? "anthropic" : "openai";
  if (own.isFile && (dialect?.shape !== shape || !dialect.takes(toUpstream(provider))))
    return "it keeps no files that calls can name";
  const what = own.isFile ? "a file" : "what is kept";
  return byok === null ? `${what} at a vendor needs the workspace's own key there` : null;
}

/** Of a call whose candidates were all passed over for this. */
export function noOpener({ path, isFile }: VendorsOwn, passedOver: readonly PassedOver[]) {
  const reasons = passedOver.map(({ provider, reason }) => `${provider}: ${reason}`).join("; ");
  const what = isFile
    ? "is the id of a file that the gateway does not keep"
    : "is an id at a vendor, which everyone who shares its account can use";
  return invalid(path, `${what}, and no provider can be sent it: ${reasons}`);
}
