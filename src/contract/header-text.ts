/** What an HTTP header can carry (RFC 9110 §5.5): a key with a line break at its end is a copy-paste slip. */
export const headerSafe = /^[\t\x20-\x7e\x80-\xff]*$/;
export const headerUnsafe = "must be one line of Latin characters: it is sent in a header";
