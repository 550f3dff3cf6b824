import * as z from "zod/mini";

interface Bounds<T extends z.core.SomeType> {
  readonly least?: number;
  readonly most: number;
  /** said in place of the general wording */
  readonly tooFew?: string;
  readonly tooMany?: string;
  /** what the elements together must fulfil, and what is said if they do not */
  readonly together?: { readonly holds: (elements: z.infer<T>[]) => boolean; readonly message: string };
}

/**
 * A list in a request. One that is too long is refused by its length alone: each wrong element is an issue of its own,
 * and a body holds enough elements to keep the thread busy with them. `check` on what this returns would undo that.
 */
export function list<T extends z.core.SomeType>(
  element: T,
  { least, most, tooFew, tooMany, together }: Bounds<T>,
): z.ZodMiniArray<T> {
  const schema = z.array(element).check(
    ...(least === undefined ? [] : [z.minLength(least, tooFew)]),
    z.maxLength(most, tooMany),
    // elements of a list that is too long were not looked at
    ...(together === undefined
      ? []
      : [z.refine<z.infer<T>[]>((elements) => elements.length > most || together.holds(elements), together.message)]),
  );
  const { _zod: internals } = schema;
  const { parse } = internals;
  internals.parse = (payload, ctx) => {
    // The check of the length is next, and refuses it.
    if (Array.isArray(payload.value) && payload.value.length > most) return payload;
    return parse(payload, ctx);
  };
  return schema;
}
