// A process of its own: Universal Sentence Encoder Lite, loaded once, that answers one batch after the other.
import { createEncoder, mostTokens } from "./encoder.ts";
import { isFamiliar } from "./familiarity.ts";
import type { EncodeRequest, ProcessMessage, TextAnswer } from "./messages.ts";
import { readModelFiles } from "./model-files.ts";
import { createTokenizer } from "./tokenizer.ts";

const send = (message: ProcessMessage) => process.send?.(message);

async function load(folder: string): Promise<(request: EncodeRequest) => readonly TextAnswer[]> {
  const { vocabulary, tensors } = await readModelFiles(folder);
  const tokenize = createTokenizer(vocabulary);
  const encode = await createEncoder(tensors);
  return ({ texts }) => {
    const read = texts.map(({ text, truncate }) => {
      const { ids } = tokenize(text);
      const isRead = truncate || ids.length <= mostTokens;
      return { text, tokens: ids.length, ids: isRead ? ids.slice(0, mostTokens) : null };
    });
    const vectors = encode(read.flatMap(({ ids }) => (ids === null ? [] : [ids]))).values();
    return read.map(({ text, tokens, ids }): TextAnswer => {
      if (ids === null) return { type: "tooLong", tokens };
      const vector = vectors.next().value ?? new Float32Array();
      return { type: "vector", vector, tokens: Math.max(1, ids.length), familiar: isFamiliar(tokenize, text) };
    });
  };
}

// The gateway ends it. A signal to the whole group, as from Ctrl+C, must not interrupt calls that may still finish.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// The gateway is gone, so there is no one to answer.
process.once("disconnect", () => process.exit());

try {
  const answer = await load(process.argv[2] ?? "");
  process.on("message", (request: EncodeRequest) => {
    send({ type: "encoded", id: request.id, answers: answer(request) });
  });
  send({ type: "ready" });
} catch (error) {
  send({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}
