import type { JsonObject } from "../../providers/answer.ts";
import type { KeptThings, PassedDialectName } from "../../providers/provider.ts";
import type { NamedAddress } from "../image-addresses.ts";
import type { Headers } from "../sent.ts";

/** What bounds a prompt. */
export interface PromptSize {
  readonly bytes: number;
  readonly images: number;
  /** the vendor adds text of its own */
  readonly instructed: boolean;
  /** it contains or references something whose length its bytes do not show: a file, audio, a video, a search */
  readonly wholeContext: boolean;
  /** what a token written to a vendor's cache costs on top of the prompt's price, in hundredths of that price */
  readonly cacheWriteSurcharge: number;
}

/** A request in its caller's own dialect, for providers that speak it: they are sent what the caller sent. */
export interface PassedRequest {
  readonly dialect: PassedDialectName;
  /** the caller's headers that belong to the dialect */
  readonly headers: Headers;
  /** what the caller sent, parsed */
  readonly json: Readonly<JsonObject>;
  /** the caller's bytes without the gateway's own members */
  write(to: PassedTo): readonly Buffer[];
  /** what bounds the prompt that is sent, in addition to the public form's size */
  readonly size: PromptSize;
  /** addresses that it names, and that a provider fetches */
  readonly addresses: readonly NamedAddress[];
  /** its parts that a provider bills at prices other than the model's */
  readonly unpriced: readonly string[];
  /** why the request cannot be put into another dialect; null: it can */
  readonly untranslatable: string | null;
  /** the answer that it continues, by its provider's id; null: none */
  readonly continues: string | null;
  /** what only a provider can do that keeps answers, and what would work without; null: nothing */
  readonly keeping: { readonly what: string; readonly instead: string } | null;
  /** the place of a thought that a provider which keeps items would look up by its id; null: there is none */
  readonly reference: string | null;
  /** the place of a container that it names by its id; null: there is none */
  readonly container: string | null;
}

/** What a request that is passed on depends on, besides what the caller sent. */
export interface PassedTo {
  /** the provider's name of the model */
  readonly model: string;
  /** the maximum for a request that has none; null: it may go without one */
  readonly maxTokens: number | null;
  /** the same where the dialect requires one */
  readonly plainMaximum: number;
  /** what the provider keeps */
  readonly keeps: KeptThings;
  /** whether it encrypts what the model thinks if it is asked to; null: that is not known */
  readonly encrypts: boolean | null;
  /** whether the provider refuses thoughts that it did not sign */
  readonly checksSignatures: boolean;
}
