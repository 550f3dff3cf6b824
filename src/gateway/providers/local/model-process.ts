// A process of its own: a sentence-embedding model, loaded once, that answers one request after the other.
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isFolder, jsonReader, NoModel, readUsage, refuseIncomplete } from "./model-files.ts";
import type { ModelAnswer, ModelRequest, ModelStart } from "./model-messages.ts";

const packageName = "@huggingface/transformers";
/** Texts that the model computes at once. */
const batch = 16;
/** For tokenizers that state no length, or an unusable one. */
const assumedContext = 512;

/** The part of transformers.js that is used: the package is optional, so its types may be missing. */
interface Transformers {
  env: { cacheDir: string; localModelPath: string; allowRemoteModels: boolean };
  pipeline(task: "feature-extraction", model: string, options: object): Promise<Extractor>;
}
interface Extractor {
  (texts: string[], options: object): Promise<{ data: Float32Array; dims: number[] }>;
  tokenizer: { encode(text: string): number[]; model_max_length?: number };
  model: { config: { max_position_embeddings?: number } };
}

const send = (answer: ModelAnswer) => process.send?.(answer);

async function packageIn(home: string): Promise<Transformers> {
  for (const from of [join(home, "package.json"), import.meta.filename]) {
    let file: string;
    try {
      file = createRequire(from).resolve(packageName);
    } catch {
      continue;
    }
    return (await import(pathToFileURL(file).href)) as Transformers;
  }
  throw new NoModel(
    `the package ${packageName} is missing: run npm install --prefix ${home} ${packageName}, and start again`,
  );
}

async function load({ model, home }: ModelStart) {
  const transformers = await packageIn(home);
  const cache = join(home, "models");
  transformers.env.cacheDir = cache;
  const local = isFolder(model);
  const folder = resolve(model);
  if (local) {
    await refuseIncomplete(folder);
    transformers.env.localModelPath = dirname(folder);
    transformers.env.allowRemoteModels = false;
  }
  const usage = await readUsage(jsonReader(local ? folder : model, cache));
  const whole = !local || existsSync(join(folder, "onnx/model.onnx"));
  const extract = await transformers.pipeline("feature-extraction", local ? basename(folder) : model, {
    dtype: whole ? "fp32" : "q8",
  });
  const stated = [extract.tokenizer.model_max_length, extract.model.config.max_position_embeddings];
  const lengths = stated.filter((length): length is number => Number.isSafeInteger(length) && Number(length) < 1e7);
  const contextLength = lengths.length === 0 ? assumedContext : Math.min(...lengths);

  async function vectorsOf(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += batch) {
      const { pooling, normalize } = usage;
      const { data, dims } = await extract(texts.slice(from, from + batch), { pooling, normalize });
      const length = dims.at(-1) ?? 0;
      for (let at = 0; at < data.length; at += length) vectors.push(Float32Array.from(data.subarray(at, at + length)));
    }
    return vectors;
  }

  const [first] = await vectorsOf(["a"]);
  send({ type: "ready", facts: { dimensions: first?.length ?? 0, contextLength } });

  return async ({ id, texts, role, truncate }: ModelRequest): Promise<ModelAnswer> => {
    const prompt =
      role === null ? "" : (usage.prompts[role] ?? (role === "document" ? usage.prompts["passage"] : "") ?? "");
    const whole = texts.map((text) => prompt + text);
    const tokens = whole.map((text) => extract.tokenizer.encode(text).length);
    const index = tokens.findIndex((count) => count > contextLength);
    if (index !== -1 && !truncate) return { type: "tooLong", id, index, tokens: tokens[index] ?? 0 };
    const counted = tokens.map((count) => Math.min(count, contextLength));
    return { type: "vectors", id, vectors: await vectorsOf(whole), tokens: counted };
  };
}

// The gateway is gone, so there is no one to answer.
process.once("disconnect", () => process.exit());

const start = JSON.parse(process.argv[2] ?? "{}") as ModelStart;
try {
  const answer = await load(start);
  let last = Promise.resolve();
  process.on("message", (request: ModelRequest) => {
    last = last.then(async () => {
      try {
        send(await answer(request));
      } catch (error) {
        send({ type: "broken", id: request.id, message: error instanceof Error ? error.message : String(error) });
      }
    });
  });
} catch (error) {
  send({ type: "failed", message: error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error) });
  process.disconnect();
}
