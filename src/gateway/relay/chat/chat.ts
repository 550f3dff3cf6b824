import { isShortJson } from "../../read-json.ts";
import { takeTurns } from "../../turns.ts";
import type { RelayDeps } from "../deps.ts";
import { chatParameters } from "../call-parameters.ts";
import { refuseMessageImages, refusePrivateNames } from "../image-addresses.ts";
import type { CallerForm } from "../caller-form.ts";
import { refuseKeeping, withZdr } from "../with-zdr.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { vendorsOwnIn } from "../files/vendors-own.ts";
import { admit } from "../rate-limits.ts";
import { claimProvider } from "../claim.ts";
import { startCall } from "../record.ts";
import { cachingOf } from "../response-cache/caching.ts";
import { fromCache } from "../response-cache/from-cache.ts";
import type { CachedAnswer } from "../response-cache/response-cache.ts";
import { sessionIdOf } from "../session-id.ts";
import { withoutVariants, withPlugins } from "../variants.ts";
import { boundsOf } from "./bounds.ts";
import { readKeeper } from "./continued.ts";
import { promptOf } from "./prompt.ts";
import { reserveChat } from "./reserve.ts";
import { routeChat } from "./route.ts";
import type { AskedChat, CachedChat, ChatRun, ClaimedChat, RoutedChat } from "./run.ts";
import { streamChat, streamHeaders } from "./stream.ts";
import { wholeChat } from "./whole.ts";

/** Answers one chat call, whole or as a stream, in the form in which it was made. */
export async function chat(deps: RelayDeps, call: ModelCall, form: CallerForm): Promise<ModelAnswer> {
  const asked = await readCall(deps, call, form);
  const routed = await lookUpAnswer(deps, await routePublicly(deps, asked));
  const found = routed.caching?.found ?? null;
  if (found !== null) return await chatFromCache(deps, routed, found);
  const claimed = await claimProvider(deps, routed);
  const run = await reserveRated(deps, claimed).catch((error: unknown) => {
    claimed.claim.end();
    throw error;
  });
  try {
    return run.request.stream ? await streamChat(deps, run) : await wholeChat(deps, run);
  } catch (error) {
    deps.ledger.release(run.reservation);
    throw error;
  }
}

/** Counts the call toward its rate limits, and reserves for it. @throws Refusal */
async function reserveRated(deps: RelayDeps, claimed: ClaimedChat): Promise<ChatRun> {
  const countTokens = admit(deps, claimed, claimed.prompt.tokens);
  return await reserveChat(deps, { ...claimed, countTokens });
}

async function readCall(deps: RelayDeps, call: ModelCall, form: CallerForm): Promise<AskedChat> {
  const { domain } = deps;
  const context = startCall(deps, call);
  const policy = await domain.accounts.of(domain, call.credential);
  const turn = takeTurns(call.credential.hash);
  const asked = await form.read(call, policy.workspace.defaultTextModel, turn);
  const { offers } = domain.catalog.current(domain);
  const isKnown = (id: string) => offers.has(id);
  // Anthropic's and OpenAI's own forms have no plugins.
  const read = asked.passed === null ? withPlugins(asked, isKnown) : asked;
  const request = {
    ...read,
    ...withoutVariants(read.models, read.preferences, isKnown),
    sessionId: sessionIdOf(read.sessionId, call.headers),
  };
  refuseKeeping(request, policy);
  const vendorsOwn = vendorsOwnIn(request, form.apiType);
  const keeper = await readKeeper(deps, call, request);
  const addresses = refuseMessageImages(deps, request.body, request.passed?.addresses);
  const most = longestContext(deps, request.models);
  const prompt = await promptOf(request, turn, { most, signal: call.signal });
  if (!isShortJson(call.body)) await turn.next();
  const limited = policy.accounts.some((account) => account.limits.length > 0);
  const bounds = await boundsOf(request, limited, turn);
  return { context, form, policy, request, keeper, vendorsOwn, addresses, prompt, bounds };
}

/** Finds candidates, and refuses addresses that lead from them into a private network. @throws Refusal */
async function routePublicly(deps: RelayDeps, asked: AskedChat): Promise<RoutedChat> {
  const route = routeChat(deps, asked);
  await refusePrivateNames(deps, asked.addresses, route.candidates);
  return { ...asked, route };
}

/** What the response cache has of it, if its caller asks. @throws Refusal */
async function lookUpAnswer(deps: RelayDeps, routed: RoutedChat): Promise<CachedChat> {
  const { context, policy, route, form, request } = routed;
  const { models, stream, passed } = request;
  const preferences = withZdr(request.preferences, policy, models);
  const { apiType } = form;
  const headers = passed?.headers ?? {};
  return {
    ...routed,
    caching: await cachingOf(deps, { context, route, apiType, models, stream, preferences, headers }),
  };
}

async function chatFromCache(deps: RelayDeps, asked: RoutedChat, found: CachedAnswer): Promise<ModelAnswer> {
  const { context, policy, form, request } = asked;
  const { user, sessionId, trace, stream: streamed, messages: input } = request;
  const headers = { ...(streamed && streamHeaders), ...form.headers(asked, {}) };
  const entry = {
    operation: form.operation ?? null,
    parameters: chatParameters(request.body, request.maxTokens),
  };
  const call = { apiType: form.apiType, context, policy, user, sessionId, trace, streamed, input, headers, entry };
  return await fromCache(deps, call, found);
}

/** The longest context among these models' offers: a longer prompt is refused, so it need not be counted in full. */
function longestContext({ domain }: RelayDeps, models: readonly string[]): number {
  const { offers } = domain.catalog.current(domain);
  const lengths = models.flatMap((id) => offers.get(id) ?? []).map(({ model }) => model.contextLength);
  return lengths.reduce<number>((most, length) => Math.max(most, length ?? Number.POSITIVE_INFINITY), 0);
}
