/** What a model's process is started with. */
export interface ModelStart {
  /** a Hugging Face model id, or a folder */
  readonly model: string;
  /** where the optional package and downloaded models lie */
  readonly home: string;
}

/** What the model is, as its own files say. */
export interface ModelFacts {
  readonly dimensions: number;
  /** tokens */
  readonly contextLength: number;
}

export type Role = "query" | "document";

export interface ModelRequest {
  readonly id: number;
  readonly texts: readonly string[];
  /** null: the text is used as it is, without one of the model's own prefixes */
  readonly role: Role | null;
  readonly truncate: boolean;
}

export type ModelAnswer =
  | { readonly type: "ready"; readonly facts: ModelFacts }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "vectors"; readonly id: number; readonly vectors: Float32Array[]; readonly tokens: number[] }
  | { readonly type: "tooLong"; readonly id: number; readonly index: number; readonly tokens: number }
  | { readonly type: "broken"; readonly id: number; readonly message: string };
