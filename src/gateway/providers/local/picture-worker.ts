import { parentPort } from "node:worker_threads";
import { BadPicture, decodePicture } from "./decode-picture.ts";
import { lookOf } from "./look.ts";

/** What the thread answers: the look of the picture that it was sent, or what is wrong with it. */
export type Looked = { readonly look: Float64Array } | { readonly problem: string };

parentPort?.on("message", (bytes: Uint8Array<ArrayBuffer>) => {
  void look(bytes).then((looked) => parentPort?.postMessage(looked));
});

async function look(bytes: Uint8Array<ArrayBuffer>): Promise<Looked> {
  try {
    return { look: lookOf(await decodePicture(bytes)) };
  } catch (error) {
    if (error instanceof BadPicture) return { problem: error.message };
    throw error;
  }
}
