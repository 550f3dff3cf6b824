/**
 * What a sealed text is bound to: the associated data of its encryption. A text copied into another row cannot be
 * decrypted there.
 */
export const providerAad = (slug: string) => `provider:${slug}`;
export const byokAad = (id: string) => `byok:${id}`;
export const destinationAad = (id: string) => `destination:${id}`;
/** @param id of the generation */
export const callBodyAad = (id: string) => `generation:${id}`;
/** @param id of the generation that it is about */
export const feedbackAad = (id: string) => `feedback:${id}`;
/** @param cacheId of the workspace's cache; @param key of the entry */
export const embeddingAad = (cacheId: string, key: Buffer) => `embedding:${cacheId}:${key.toString("base64url")}`;
/** @param id of the job */
export const videoAad = (id: string) => `video:${id}`;
export const videoWebhookAad = (workspaceId: string) => `video-webhook:${workspaceId}`;
export const videoWebhookUrlAad = (workspaceId: string) => `video-webhook-url:${workspaceId}`;
/** @param key of the entry in the response cache */
export const cachedAnswerAad = (workspaceId: string, key: Buffer) =>
  `answer:${workspaceId}:${key.toString("base64url")}`;
/** @param key of the item of an answer */
export const answeredItemAad = (spendId: string, key: Buffer) => `item:${spendId}:${key.toString("base64url")}`;
export const bodyBlobAad = (workspaceId: string) => `bodies:${workspaceId}`;
export const fileAad = (id: string) => `file:${id}`;
/** @param id of the batch */
export const batchAad = (id: string) => `batch:${id}`;
/** @param kid of the key that access tokens are signed with */
export const signingKeyAad = (kid: string) => `signing-key:${kid}`;
