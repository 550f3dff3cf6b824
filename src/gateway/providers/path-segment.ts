/** A URL's path leaves these out or goes up by them, encoded or not; without one it is another path. */
const dots = /^\.{0,2}$/;

/** Whether a name that is not the gateway's own can be encoded as one segment of a path, and stays one. */
export const isPathSegment = (name: string): boolean => !dots.test(name) && name.isWellFormed();
