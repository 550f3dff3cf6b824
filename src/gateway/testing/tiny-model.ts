import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

// Just enough of protobuf and of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) for one Gather.
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const int = (field: number, value: number) => Buffer.from([...varint(field << 3), ...varint(value)]);
const bytes = (field: number, content: Buffer | string) => {
  const buffer = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(buffer.length)]), buffer]);
};
const message = (field: number, ...members: Buffer[]) => bytes(field, Buffer.concat(members));

const float = 1;
const int64 = 7;

/** A named input or output of two or three open dimensions. */
function value(field: number, name: string, type: number, dimensions: readonly string[]): Buffer {
  const shape = dimensions.map((dimension) => message(1, bytes(2, dimension)));
  return message(field, bytes(1, name), message(2, message(1, int(1, type), message(2, ...shape))));
}

/** A model whose hidden state is one row of a table for each token: what it computes can be worked out by hand. */
function gatherModel(table: readonly (readonly number[])[]): Buffer {
  const weights = Buffer.from(Float32Array.from(table.flat()).buffer);
  const graph = message(
    7,
    message(1, bytes(1, "table"), bytes(1, "input_ids"), bytes(2, "last_hidden_state"), bytes(4, "Gather")),
    bytes(2, "tiny"),
    message(
      5,
      int(1, table.length),
      int(1, table[0]?.length ?? 0),
      int(2, float),
      bytes(8, "table"),
      bytes(9, weights),
    ),
    value(11, "input_ids", int64, ["batch", "sequence"]),
    value(11, "attention_mask", int64, ["batch", "sequence"]),
    value(12, "last_hidden_state", float, ["batch", "sequence", "hidden"]),
  );
  return Buffer.concat([int(1, 8), graph, message(8, bytes(1, ""), int(2, 13))]);
}

export interface TinyModel {
  /** one row per word; [PAD] and [UNK] are added, with zeros */
  readonly words: Readonly<Record<string, readonly number[]>>;
  /** tokens */
  readonly contextLength: number;
  /** further files, by their path */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Writes a model folder as Hugging Face has them: configuration, tokenizer, and weights in ONNX. */
export async function writeTinyModel(folder: string, { words, contextLength, files = {} }: TinyModel): Promise<void> {
  const names = ["[PAD]", "[UNK]", ...Object.keys(words)];
  const hidden = Object.values(words)[0]?.length ?? 0;
  const nothing = Array.from({ length: hidden }, () => 0);
  const special = (id: number, content: string) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  });
  const json: Record<string, unknown> = {
    "config.json": {
      model_type: "bert",
      architectures: ["BertModel"],
      hidden_size: hidden,
      max_position_embeddings: contextLength,
    },
    "tokenizer_config.json": {
      tokenizer_class: "PreTrainedTokenizerFast",
      model_max_length: contextLength,
      pad_token: "[PAD]",
      unk_token: "[UNK]",
      model_input_names: ["input_ids", "attention_mask"],
    },
    "tokenizer.json": {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: [special(0, "[PAD]"), special(1, "[UNK]")],
      normalizer: { type: "Lowercase" },
      pre_tokenizer: { type: "Whitespace" },
      post_processor: null,
      decoder: null,
      model: {
        type: "WordLevel",
        vocab: Object.fromEntries(names.map((name, id) => [name, id])),
        unk_token: "[UNK]",
      },
    },
    ...files,
  };
  for (const [path, content] of Object.entries(json)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), JSON.stringify(content));
  }
  await mkdir(join(folder, "onnx"), { recursive: true });
  await writeFile(join(folder, "onnx/model.onnx"), gatherModel([nothing, nothing, ...Object.values(words)]));
}
