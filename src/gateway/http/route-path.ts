/** `/keys/{hash}` as the router writes it. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
