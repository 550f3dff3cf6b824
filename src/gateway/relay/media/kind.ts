import type { ApiType, ConversationApi } from "#contract/api-type.ts";
import type { MediaPreferences } from "#contract/media-preferences.ts";
import type { ModelType } from "#contract/model-type.ts";
import type { KeptBody } from "../../domain/bodies/body.ts";
import type { Fits } from "../../domain/ledger/limit-refusal.ts";
import { costOf, type Media } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { Misfit } from "../../providers/provider.ts";
import type { NamedAddress } from "../image-addresses.ts";

/** What every call that makes or reads media has, checked. */
export interface MediaRequest {
  readonly model: string;
  readonly user: string | null;
  readonly preferences: MediaPreferences;
  readonly sessionId: string | null;
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** addresses that the caller names beside its further members; absent: none */
  readonly named?: readonly NamedAddress[];
  /** members that are the provider's */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What a call is billed by. */
export interface MediaAmount {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** images that are sent; default: none */
  readonly images?: number;
  readonly media: Media;
}

/** What calls of one operation differ in, from their routing to their settlement. */
export interface MediaKind<R extends MediaRequest> {
  readonly apiType: Exclude<ApiType, ConversationApi | "embeddings" | "rerank">;
  readonly modelType: ModelType;
  /** the member that is named where every provider cannot carry the call, and `unfit` names none */
  readonly member: string;
  /** why a candidate cannot carry the call; null: it can */
  unfit(request: R, candidate: Candidate): Misfit | string | null;
  /** the most that a candidate can bill */
  most(amount: MediaAmount, request: R, candidate: Candidate): MediaAmount;
  /** what would fit into the money that is left; null: nothing of it can be made smaller */
  fits(amount: MediaAmount, remaining: bigint, most: bigint): Fits;
  /**
   * what a workspace that keeps bodies keeps of it; never the media themselves
   * @param said the answer's text; null: it has none
   */
  body(request: R, said: string | null): KeptBody;
}

/** Nano-dollars; 0 where the model has no price. */
export function mediaCost(
  { model }: Candidate,
  { promptTokens, completionTokens, images = 0, media }: MediaAmount,
): bigint {
  if (model.prices === null) return 0n;
  return costOf(model.prices, { promptTokens, completionTokens, images, requests: 1, media });
}
