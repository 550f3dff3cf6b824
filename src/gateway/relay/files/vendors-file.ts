import type { ConversationApi } from "#contract/api-type.ts";
import { invalid } from "../../domain/refusal.ts";
import type { Candidate, PassedOver } from "../../domain/routing/routing.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import type { ChatRequest } from "../chat/request.ts";
import { namedFiles, ownPrefix } from "./named-files.ts";

/**
 * The place of the first file that a request names and the gateway does not keep: the id is a vendor's, in whose account
 * other keys may have files, too. Null: there is none.
 * @throws Refusal invalid_request
 */
export function vendorsFileIn({ messages, passed }: ChatRequest, api: ConversationApi): string | null {
  const named = namedFiles[api](passed?.json ?? { messages });
  // The gateway's own are in the request already, if they were recognized.
  const escaped = named.find(({ id }) => id.startsWith(ownPrefix));
  if (escaped !== undefined) throw invalid(escaped.path, "must be written without escapes");
  return named[0]?.path ?? null;
}

/** Why a candidate cannot be sent such an id; null: it can. */
export function cannotOpen(path: string | null, api: ConversationApi, { provider, byok }: Candidate): string | null {
  if (path === null) return null;
  const dialect = adapters[provider.kind]?.files;
  const shape = api === "messages" ? "anthropic" : "openai";
  if (dialect?.shape !== shape || !dialect.takes(toUpstream(provider))) return "it keeps no files that calls can name";
  return byok === null ? "a file at a vendor needs the workspace's own key there" : null;
}

/** Of a call whose candidates were all passed over for this. */
export function noOpener(path: string, passedOver: readonly PassedOver[]) {
  const reasons = passedOver.map(({ provider, reason }) => `${provider}: ${reason}`).join("; ");
  return invalid(
    path,
    `is the id of a file that the gateway does not keep, and no provider can be sent it: ${reasons}`,
  );
}
