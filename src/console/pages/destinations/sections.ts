/** The parts of the editor, in the order of the pipeline; each is a heading, an anchor and a way in from the strip. */
export const sections = [
  { id: "basics", title: "Basics", aside: "" },
  { id: "connection", title: "Connection", aside: "Where it goes" },
  { id: "privacy", title: "Privacy", aside: "What each event contains" },
  { id: "keys", title: "Keys", aside: "Whose traffic" },
  { id: "rules", title: "Rules", aside: "Which calls" },
  { id: "sampling", title: "Sampling", aside: "How many of them" },
] as const;

export type SectionId = (typeof sections)[number]["id"];
