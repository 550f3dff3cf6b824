import { toUsd } from "#contract/money.ts";
import type { VideoJob } from "#contract/videos.ts";
import { urlsOf, type VideoJobRow } from "../../domain/calls/video-jobs.ts";
import { generationOfVideo } from "../../domain/generation-id.ts";
import type { Deps } from "../../domain/context.ts";
import type { RelayDeps } from "../deps.ts";

/** How long an address needs no key. */
const tokenMs = 86_400_000;

/** A job in the public API's form: what says nothing yet is left out. */
export function shownJob({ domain }: Pick<RelayDeps, "domain">, job: VideoJobRow, apiUrl: string): VideoJob {
  const { id, status, error, cost, byok_id: byokId } = job;
  const generation = job.ended_at === null ? null : generationOfVideo(id);
  return {
    id,
    status,
    polling_url: `${apiUrl}/videos/${id}`,
    ...(generation !== null && { generation_id: generation }),
    ...(status === "completed" && {
      unsigned_urls: (urlsOf(domain, job) ?? []).map(
        (_, index) => `${apiUrl}/videos/${id}/content?index=${index}&token=${tokenOf(domain, id, index)}`,
      ),
    }),
    ...(cost !== null && { usage: { cost: toUsd(cost), is_byok: byokId !== null } }),
    ...(error !== null && { error }),
  };
}

type Keyed = Pick<Deps, "secrets" | "now">;

const aadOf = (id: string, index: number) => `video content ${id} ${index}`;
const purpose = "video content";

/** Lets whoever has it fetch one video for a day. */
function tokenOf({ secrets, now }: Keyed, id: string, index: number): string {
  const until = Buffer.alloc(8);
  until.writeBigUInt64BE(BigInt(now().getTime() + tokenMs));
  return secrets.derive(purpose).seal(until, aadOf(id, index)).toString("base64url");
}

/** Whether a token lets its bearer fetch this video now. */
export function isValidToken({ secrets, now }: Keyed, token: string, id: string, index: number): boolean {
  const sealed = Buffer.from(token, "base64url");
  // Decoding overlooks what is no base64.
  if (sealed.toString("base64url") !== token) return false;
  const until = secrets.derive(purpose).open(sealed, aadOf(id, index));
  return until !== null && until.length === 8 && Number(until.readBigUInt64BE()) > now().getTime();
}
