/** The sub-path that Gatehouse is served under, without a slash at its end: "" at the root, "/gatehouse" behind a proxy. */
export function basePath(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="gatehouse-base"]')?.content ?? "";
  return content.replace(/\/+$/, "");
}

/** Where the API lives, relative to this origin. `path` begins with a slash. */
export function apiPath(path: string): string {
  return `${basePath()}/api/v1${path}`;
}
