import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Instant } from "./time.ts";
import { CallbackUrl } from "./videos.ts";
import { WorkspaceReference } from "./workspaces.ts";

/** Where a workspace is told of videos that have ended. */
export const VideoWebhookRecord = z.object({
  /** for jobs without a `callback_url`; null: nobody is told of them */
  url: z.nullable(z.string()),
  /** masked abbreviation of the secret; null: there is none, and nothing is signed */
  secret_label: z.nullable(z.string()),
  secret_created_at: z.nullable(Instant),
});
export type VideoWebhookRecord = z.infer<typeof VideoWebhookRecord>;

const params = WorkspaceReference;
const tag = "Workspaces";
const auth = "management";
const OneWebhook = z.object({ data: VideoWebhookRecord });

export const getVideoWebhook = endpoint({
  name: "getVideoWebhook",
  method: "GET",
  path: "/workspaces/{id}/video-webhook",
  tag,
  summary: "Get a workspace's video notifications",
  auth,
  params,
  returns: OneWebhook,
  errors: [401, 403, 404, 500, 503],
});

export const updateVideoWebhook = endpoint({
  name: "updateVideoWebhook",
  method: "PATCH",
  path: "/workspaces/{id}/video-webhook",
  tag,
  summary: "Set a workspace's video notifications",
  auth,
  params,
  body: z.strictObject({ url: z.nullable(CallbackUrl) }),
  returns: OneWebhook,
  errors: [400, 401, 403, 404, 413, 500, 503],
});

export const deleteVideoWebhook = endpoint({
  name: "deleteVideoWebhook",
  method: "DELETE",
  path: "/workspaces/{id}/video-webhook",
  tag,
  summary: "Remove a workspace's video notifications and their secret",
  description: "Jobs with a `callback_url` are still notified, without a signature.",
  auth,
  params,
  returns: OneWebhook,
  errors: [401, 403, 404, 500, 503],
});

export const rotateVideoWebhookSecret = endpoint({
  name: "rotateVideoWebhookSecret",
  method: "POST",
  path: "/workspaces/{id}/video-webhook/secret",
  tag,
  summary: "Create a new secret that signs a workspace's video notifications",
  description: "The answer is the only one that has the secret. Messages are signed with it from now on.",
  auth,
  params,
  returns: z.object({ data: VideoWebhookRecord, secret: z.string() }),
  errors: [401, 403, 404, 500, 503],
});
