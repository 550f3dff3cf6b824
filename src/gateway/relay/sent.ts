/** A piece of a stream to the caller. */
export type Piece = string | Buffer;

/** Of an answer, with lower-case names. */
export type Headers = Readonly<Record<string, string>>;
