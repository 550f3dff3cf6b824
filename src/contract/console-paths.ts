/**
 * Whether the console has a page at this path. The gateway serves the console there and answers 404 elsewhere, so that
 * a probe or a client with a wrong address never gets a 200.
 */
export function isConsolePath(path: string): boolean {
  return /^\/(sign-in\/?|auth\/?|w\/.*)?$/.test(path);
}
