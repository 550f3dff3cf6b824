import { readFile } from "node:fs/promises";
import type { Tensors } from "./model-files.ts";

export const dimensions = 512;
/** The model reads no more of a text (`ClipToMaxLength` in its graph). */
export const mostTokens = 128;

const embeddingWidth = 256;
const heads = 4;
const hidden = 1_536;
/** Of the layer norms, as in the graph. */
const epsilon = 1e-6;
/** Tokens that are computed at once: enough to read the weights rarely, few enough for the processor's cache. */
const mostRows = 256;

/** The vector of each text, given its token ids. It does not depend on the other texts, to the last bit. */
export type Encode = (texts: readonly (readonly number[])[]) => Float32Array[];

/**
 * The network of Universal Sentence Encoder Lite: two transformer layers (Vaswani et al., "Attention Is All You Need",
 * 2017) over the tokens, their mean, and a dense layer with tanh, at unit length. Its products are in WebAssembly.
 */
export async function createEncoder(tensors: Tensors): Promise<Encode> {
  const memory = await createMemory();
  const table = tensors("module/Embeddings_en").slice();
  const frequencies = tensors(`${encode}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`).slice();
  const widened = placeDense(memory, tensors, {
    kernel: `${encode}Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat`,
    bias: `${encode}Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat`,
    inner: embeddingWidth,
  });
  const layers = [placeLayer(memory, tensors, 0, embeddingWidth), placeLayer(memory, tensors, 1, dimensions)];
  const last = placeDense(memory, tensors, {
    kernel: "module/Encoder_en/hidden_layers/tanh_layer_0/weights",
    bias: "module/Encoder_en/hidden_layers/tanh_layer_0/bias",
    inner: dimensions,
  });
  const states = memory.allocate(mostRows * dimensions);
  const normed = memory.allocate(mostRows * dimensions);
  const wide = memory.allocate(mostRows * hidden);
  const added = memory.allocate(mostRows * dimensions);

  function encodeRows(texts: readonly (readonly number[])[]): Float32Array[] {
    const starts = texts.map((_, index) => texts.slice(0, index).reduce((sum, ids) => sum + ids.length, 0));
    const spans = texts.map((ids, index): Span => ({ from: starts[index] ?? 0, length: ids.length }));
    const rows = spans.reduce((sum, { length }) => sum + length, 0);
    for (const [index, ids] of texts.entries()) embed(memory.at(normed), ids, starts[index] ?? 0);
    memory.multiply(normed, widened, states, rows);
    // Until the first layer, a token's state is as wide as its embedding.
    let residual = normed;
    for (const layer of layers) {
      memory.at(added).set(memory.at(residual).subarray(0, rows * layer.width));
      normalize(memory.at(added), layer.attentionNorm, rows);
      memory.multiply(added, layer.queries, wide, rows);
      for (const span of spans) attend(memory.at(wide), memory.at(added), layer.width, span);
      memory.multiply(added, layer.attended, normed, rows);
      add(memory.at(states), memory.at(normed), rows * dimensions);
      memory.at(normed).set(memory.at(states).subarray(0, rows * dimensions));
      normalize(memory.at(normed), layer.forwardNorm, rows);
      memory.multiply(normed, layer.forward, wide, rows);
      rectify(memory.at(wide), rows * hidden);
      memory.multiply(wide, layer.back, normed, rows);
      add(memory.at(states), memory.at(normed), rows * dimensions);
      residual = states;
    }
    for (const [index, span] of spans.entries()) mean(memory.at(states), memory.at(normed), span, index);
    memory.multiply(normed, last, added, texts.length);
    return texts.map((_, index) => unit(memory.at(added).subarray(index * dimensions, (index + 1) * dimensions)));
  }

  /** Twice the embedding, and the position's signal, as the graph adds them up. */
  function embed(target: Float32Array, ids: readonly number[], start: number) {
    const half = embeddingWidth / 2;
    for (const [position, id] of ids.entries()) {
      const at = (start + position) * embeddingWidth;
      for (let index = 0; index < embeddingWidth; index += 1) {
        const angle = Math.fround(position * (frequencies[index % half] ?? 0));
        const signal = index < half ? Math.sin(angle) : Math.cos(angle);
        target[at + index] = 2 * (table[id * embeddingWidth + index] ?? 0) + signal;
      }
    }
  }

  return (texts) => {
    const vectors: Float32Array[] = [];
    let from = 0;
    let rows = 0;
    for (const [index, ids] of texts.entries()) {
      if (rows + Math.max(1, ids.length) > mostRows) {
        vectors.push(...encodeRows(texts.slice(from, index)));
        from = index;
        rows = 0;
      }
      rows += Math.max(1, ids.length);
    }
    return [...vectors, ...encodeRows(texts.slice(from))];
  };
}

/** The rows of one text among those that are computed at once. */
interface Span {
  readonly from: number;
  readonly length: number;
}

const encode = "module_apply_default/Encoder_en/KonaTransformer/Encode/";

/** A product with a matrix that lies in panels of eight columns, as matmul.wat wants it. Addresses in bytes. */
interface Dense {
  readonly panels: number;
  readonly bias: number;
  readonly inner: number;
  readonly columns: number;
}

interface Norm {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

type Layer = ReturnType<typeof placeLayer>;
type Memory = Awaited<ReturnType<typeof createMemory>>;

function placeLayer(memory: Memory, tensors: Tensors, index: number, width: number) {
  const own = `${encode}Layer_${index}/TransformerLayer/`;
  const stacked = `${encode}TransformerStack/Layer_${index}/TransformerLayer/FFN/`;
  const attention = `module/Encoder_en/KonaTransformer/Encode/Layer_${index}/TransformerLayer/MultiheadAttention/`;
  const norm = (of: string): Norm => ({
    scale: tensors(`${own}${of}layer_prepostprocess/layer_norm/layer_norm_scale/ConcatPartitions/concat`).slice(),
    shift: tensors(`${own}${of}layer_prepostprocess/layer_norm/layer_norm_bias/ConcatPartitions/concat`).slice(),
  });
  const attentive = (step: string) =>
    placeDense(memory, tensors, {
      kernel: `${attention}${step}/kernel/part_0`,
      bias: `${own}MultiheadAttention/${step}/bias/ConcatPartitions/concat`,
      inner: width,
    });
  const forward = (step: string, inner: number) =>
    placeDense(memory, tensors, {
      kernel: `${stacked}${step}/Tensordot/Reshape_1`,
      bias: `${own}FFN/${step}/bias/ConcatPartitions/concat`,
      inner,
    });
  return {
    width,
    attentionNorm: norm(""),
    queries: attentive("qkv_transform_single"),
    attended: attentive("output_transform_single"),
    forwardNorm: norm("FFN/"),
    forward: forward("conv1", dimensions),
    back: forward("conv2", hidden),
  };
}

function placeDense(
  memory: Memory,
  tensors: Tensors,
  { kernel, bias, inner }: { readonly kernel: string; readonly bias: string; readonly inner: number },
): Dense {
  const values = tensors(kernel);
  const columns = values.length / inner;
  const panels = memory.allocate(values.length);
  const target = memory.at(panels);
  let at = 0;
  for (let column = 0; column < columns; column += 8) {
    for (let row = 0; row < inner; row += 1) {
      for (let next = 0; next < 8; next += 1) target[at++] = values[row * columns + column + next] ?? 0;
    }
  }
  const biases = memory.allocate(columns);
  memory.at(biases).set(tensors(bias));
  return { panels, bias: biases, inner, columns };
}

/** The types of Node.js do not know WebAssembly. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
    instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { multiply: Multiply } } }>;
  };
};
type Multiply = (
  ...addressesAndSizes: [a: number, b: number, bias: number, out: number, rows: number, inner: number, columns: number]
) => void;

/** 20 MB of weights, and 6 MB to compute in. */
const memoryBytes = 28 * 1_048_576;

async function createMemory() {
  const memory = new WebAssembly.Memory({ initial: memoryBytes / 65_536 });
  const { instance } = await WebAssembly.instantiate(await readFile(new URL("./matmul.wasm", import.meta.url)), {
    env: { memory },
  });
  let used = 0;
  return {
    /** the address of room for so many numbers */
    allocate(length: number): number {
      const at = used;
      used += length * 4;
      if (used > memoryBytes) throw new Error("the model has more weights than it should");
      return at;
    },
    at: (address: number) => new Float32Array(memory.buffer, address),
    /** rows × matrix + bias; up to three rows more are computed, from and into what lies behind them */
    multiply(from: number, { panels, bias, inner, columns }: Dense, to: number, rows: number) {
      if (rows > 0) instance.exports.multiply(from, panels, bias, to, Math.ceil(rows / 4) * 4, inner, columns);
    },
  };
}

function add(target: Float32Array, values: Float32Array, length: number) {
  for (let index = 0; index < length; index += 1) target[index] = (target[index] ?? 0) + (values[index] ?? 0);
}

function rectify(values: Float32Array, length: number) {
  for (let index = 0; index < length; index += 1) if ((values[index] ?? 0) < 0) values[index] = 0;
}

/** Each row with mean 0 and variance 1, scaled and shifted. */
function normalize(values: Float32Array, { scale, shift }: Norm, rows: number) {
  const width = scale.length;
  for (let from = 0; from < rows * width; from += width) {
    let sum = 0;
    for (let index = 0; index < width; index += 1) sum += values[from + index] ?? 0;
    const average = sum / width;
    let squares = 0;
    for (let index = 0; index < width; index += 1) squares += ((values[from + index] ?? 0) - average) ** 2;
    const factor = 1 / Math.sqrt(squares / width + epsilon);
    for (let index = 0; index < width; index += 1) {
      values[from + index] =
        ((values[from + index] ?? 0) - average) * factor * (scale[index] ?? 0) + (shift[index] ?? 0);
    }
  }
}

/** Attention within one text; a row of `wide` holds its query, key and value. */
function attend(wide: Float32Array, target: Float32Array, width: Layer["width"], { from, length }: Span) {
  const size = width / heads;
  const weights = new Float64Array(length);
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < length; row += 1) {
      const query = (from + row) * 3 * width + head * size;
      const out = (from + row) * width + head * size;
      let most = Number.NEGATIVE_INFINITY;
      for (let other = 0; other < length; other += 1) {
        const key = (from + other) * 3 * width + width + head * size;
        let dot = 0;
        for (let index = 0; index < size; index += 1) dot += (wide[query + index] ?? 0) * (wide[key + index] ?? 0);
        weights[other] = dot / Math.sqrt(size);
        most = Math.max(most, weights[other] ?? 0);
      }
      let sum = 0;
      for (let other = 0; other < length; other += 1) sum += weights[other] = Math.exp((weights[other] ?? 0) - most);
      target.fill(0, out, out + size);
      for (let other = 0; other < length; other += 1) {
        const value = (from + other) * 3 * width + 2 * width + head * size;
        const share = (weights[other] ?? 0) / sum;
        for (let index = 0; index < size; index += 1) {
          target[out + index] = (target[out + index] ?? 0) + share * (wide[value + index] ?? 0);
        }
      }
    }
  }
}

function mean(states: Float32Array, target: Float32Array, { from, length }: Span, index: number) {
  for (let column = 0; column < dimensions; column += 1) {
    let sum = 0;
    for (let row = from; row < from + length; row += 1) sum += states[row * dimensions + column] ?? 0;
    target[index * dimensions + column] = sum / Math.max(1, length);
  }
}

function unit(values: Float32Array): Float32Array {
  const bent = Float64Array.from(values, Math.tanh);
  const squares = bent.reduce((sum, value) => sum + value * value, 0);
  return Float32Array.from(bent, (value) => value / Math.sqrt(Math.max(squares, 1e-12)));
}
