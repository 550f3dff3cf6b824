const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** In either case. The store refuses a comparison of an id with anything else. */
export const isUuid = (text: unknown): text is string => typeof text === "string" && uuid.test(text);
