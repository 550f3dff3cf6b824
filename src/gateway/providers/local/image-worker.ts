import { parentPort } from "node:worker_threads";
import { BadImage, decodeImage } from "./decode-image.ts";
import { featuresOf } from "./visual-features.ts";

/** What the thread answers: the features of the image that it was sent, or what is wrong with it. */
export type Extracted = { readonly features: Float64Array } | { readonly problem: string };

parentPort?.on("message", (bytes: Uint8Array<ArrayBuffer>) => {
  void extract(bytes).then((extracted) => parentPort?.postMessage(extracted));
});

async function extract(bytes: Uint8Array<ArrayBuffer>): Promise<Extracted> {
  try {
    return { features: featuresOf(await decodeImage(bytes)) };
  } catch (error) {
    if (error instanceof BadImage) return { problem: error.message };
    throw error;
  }
}
