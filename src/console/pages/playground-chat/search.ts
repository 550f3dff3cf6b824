import * as z from "zod/mini";

const text = z.catch(z.optional(z.string().check(z.maxLength(300))), undefined);
const figure = z.catch(z.optional(z.number()), undefined);

/** What an address of the chat holds: settings only. What is said is never in it. */
export const ChatSearch = z.object({
  /** a model, or `@preset/` and the slug of one */
  model: text,
  /** the model that answers next to it */
  with: text,
  /** the hash of the key that is called as; absent: the playground's own */
  key: text,
  temperature: figure,
  top_p: figure,
  max_tokens: figure,
  seed: figure,
  effort: text,
});
export type ChatSearch = z.infer<typeof ChatSearch>;
