const longest = 50;

/** The word that means every workspace in URLs. */
const reserved = "all";

/**
 * A slug made from a name: lowercase letters and digits with single hyphens between; "" where the name gives none that
 * a workspace can have.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");
  return slug === reserved ? "" : slug;
}
