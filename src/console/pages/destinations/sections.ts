/** The parts of the editor, in the order of the pipeline; each is a heading, an anchor and a way in from the strip. */
export const sections = [
  { id: "basics", title: "Basics", aside: "" },
  { id: "connection", title: "Connection", aside: "Where it goes" },
  { id: "privacy", title: "Privacy", aside: "What each record holds" },
  { id: "keys", title: "Keys", aside: "Whose traffic" },
  { id: "rules", title: "Rules", aside: "Which requests" },
  { id: "sampling", title: "Sampling", aside: "How many of them" },
] as const;

export type SectionId = (typeof sections)[number]["id"];

/** The section that a member of the API is edited in. */
export function sectionOf(path: string): SectionId {
  const member = path.split(".")[0];
  if (member === "config") return "connection";
  if (member === "api_key_hashes") return "keys";
  if (member === "filter_rules") return "rules";
  if (member === "sampling_rate") return "sampling";
  return member === "name" ? "basics" : "privacy";
}
