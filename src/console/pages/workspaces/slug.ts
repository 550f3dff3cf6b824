const longest = 50;

/** A slug made from a name: lowercase letters and digits with single hyphens between; "" where the name has none. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");
}
