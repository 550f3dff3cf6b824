/** A batch of texts for the process. */
export interface EncodeRequest {
  readonly id: number;
  readonly texts: readonly TextRequest[];
}

export interface TextRequest {
  readonly text: string;
  /** what the model does not read of it is cut; otherwise such a text is only counted */
  readonly truncate: boolean;
}

export interface EncodedText {
  readonly type: "vector";
  readonly vector: Float32Array;
  /** that the model has read */
  readonly tokens: number;
  /** whether the text is in a language that the model knows */
  readonly familiar: boolean;
}

export type TextAnswer = EncodedText | { readonly type: "tooLong"; readonly tokens: number };

/** What the process says. */
export type ProcessMessage =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "encoded"; readonly id: number; readonly answers: readonly TextAnswer[] };
