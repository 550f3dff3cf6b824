import type { ModelRecord } from "#contract/models.ts";
import { megabytes, mostRoom, type Room } from "./memory.ts";
import { takesImages } from "./models.ts";

interface Readiness {
  /** how many inputs there are */
  items: number;
  /** how many files are still being read: a run without them would leave them out */
  reading: number;
  /** the model's id */
  chosen: string | undefined;
  /** the read of the models */
  models: { isSuccess: boolean; isPending: boolean };
  knowsWorkspace: boolean;
  reachable: boolean;
  /** a run is under way */
  busy: boolean;
  /** how many images are among the inputs */
  images: number;
  model: ModelRecord | undefined;
  room: Room | null;
  /** the model has no price, and the playground's key has a limit, which counts */
  unpriced: boolean;
}

/** Why Run can't be pressed, or null where it can. */
export function whyNotRun(readiness: Readiness): string | null {
  const { items, reading, chosen, models, knowsWorkspace, reachable, busy, images, model, room, unpriced } = readiness;
  if (reading > 0) return "The images are being read";
  if (items === 0) return "Write or paste a text first";
  if (chosen === undefined) {
    if (models.isSuccess) return "No provider offers embeddings";
    return models.isPending ? "The models are loading" : "The models did not load";
  }
  if (!knowsWorkspace) return "The workspaces are loading";
  if (!reachable) return "The gateway cannot be reached";
  if (busy) return "A run is under way";
  if (images > 0 && model && !takesImages(model)) return `${model.id} takes text, not images`;
  if (unpriced) return `${chosen} has no price, and the playground’s key has a limit: set the price first`;
  if (room?.letGo === null)
    return `The vectors would take ${megabytes(room.needed)}, and at most ${mostRoom} is allowed: use fewer rows or dimensions`;
  return null;
}
