import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";

/** Why the model cannot be used, worded so that an admin can fix it. */
export class NoModel extends Error {
  override readonly name = "NoModel";
}

/** How the model's own files say that it must be used (the layout of sentence-transformers). */
export interface Usage {
  readonly pooling: "mean" | "cls" | "last_token";
  readonly normalize: boolean;
  /** what is put before a text, by its role */
  readonly prompts: Readonly<Record<string, string>>;
}

/** A folder is given as a path; everything else is an id, such as `Xenova/all-MiniLM-L6-v2`. */
export function isFolder(model: string): boolean {
  return isAbsolute(model) || model.startsWith(".");
}

/** @throws NoModel naming the file that is missing in a folder */
export async function refuseIncomplete(folder: string): Promise<void> {
  if (!existsSync(folder)) throw new NoModel(`there is no folder ${folder}`);
  for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
    if (!existsSync(join(folder, file))) throw new NoModel(`${folder} has no ${file}`);
  }
  const weights = await readdir(join(folder, "onnx")).catch((): string[] => []);
  if (weights.includes("model.onnx") || weights.includes("model_quantized.onnx")) return;
  throw new NoModel(`${folder} has no onnx/model.onnx: export the model to ONNX first`);
}

const hub = "https://huggingface.co";

/** @param read the JSON of one of the model's files; null where it has none */
export async function readUsage(read: (file: string) => Promise<unknown>): Promise<Usage> {
  const pooling = object(await read("1_Pooling/config.json"));
  const modules = await read("modules.json");
  const { prompts } = object(await read("config_sentence_transformers.json"));
  const unsupported = [
    "pooling_mode_max_tokens",
    "pooling_mode_mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens",
  ];
  const other = unsupported.find((mode) => pooling[mode] === true);
  if (other !== undefined) throw new NoModel(`its pooling (${other}) is not supported: mean, cls and last token are`);
  const steps = Array.isArray(modules) ? modules.map((step) => String(object(step)["type"])) : null;
  const dense = steps?.find((type) => !/\.(Transformer|Pooling|Normalize)$/.test(type));
  if (dense !== undefined) throw new NoModel(`its step ${dense} is not supported`);
  return {
    pooling:
      pooling["pooling_mode_cls_token"] === true
        ? "cls"
        : pooling["pooling_mode_lasttoken"] === true
          ? "last_token"
          : "mean",
    // Without a list of steps it is no sentence-transformers model; unit length is what similarities are made for.
    normalize: steps?.some((type) => type.endsWith(".Normalize")) ?? true,
    prompts: Object.fromEntries(
      Object.entries(object(prompts)).filter((entry) => typeof entry[1] === "string"),
    ) as Record<string, string>,
  };
}

/** Reads JSON files of a model: from its folder, or once from the hub and from then on from `cache`. */
export function jsonReader(model: string, cache: string): (file: string) => Promise<unknown> {
  if (isFolder(model)) return async (file) => await parsed(join(model, file));
  return async (file) => {
    const kept = join(cache, model, file);
    if (existsSync(kept)) return await parsed(kept);
    const answer = await fetch(`${hub}/${model}/resolve/main/${file}`);
    if (answer.status !== 200 && answer.status !== 404) {
      throw new NoModel(`${hub} answered ${answer.status} when it was asked for ${file} of ${model}`);
    }
    const text = answer.status === 200 ? await answer.text() : "null";
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(kept, text);
    return JSON.parse(text);
  };
}

async function parsed(file: string): Promise<unknown> {
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : null;
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
