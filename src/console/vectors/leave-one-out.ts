/** A text's parts for leaving one out at a time: its sentences, or its words where there is only one sentence. */
export function partsOf(text: string): string[] {
  const sentences = cut(text, "sentence");
  return sentences.length > 1 ? sentences : cut(text, "word");
}

const mostParts = 40;

function cut(text: string, granularity: "sentence" | "word"): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter("en", { granularity }).segment(text)) {
    // characters between words (spaces, commas) belong to the word before; so does everything past the bound
    const joins = found.length > 0 && (found.length >= mostParts || (granularity === "word" && isWordLike !== true));
    if (joins) found[found.length - 1] += segment;
    else found.push(segment);
  }
  return found;
}

/** The text without each of its parts in turn; a part whose absence leaves nothing is not asked for. */
export function withoutEach(parts: readonly string[]): { part: number; text: string }[] {
  return parts
    .map((_, part) => ({
      part,
      text: parts
        .filter((__, other) => other !== part)
        .join("")
        .trim(),
    }))
    .filter(({ text }) => text !== "");
}
