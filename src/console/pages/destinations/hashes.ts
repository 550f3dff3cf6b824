export interface ReadHashes {
  /** each once, in the order of the text, without those that are listed */
  fresh: string[];
  /** how many are listed already */
  repeated: number;
  /** invalid entries, shortened */
  wrong: string[];
}

/** The hashes in a pasted text, whatever separates them. */
export function readHashes(text: string, have: readonly string[]): ReadHashes {
  const words = text.split(/[\s,;"'[\]]+/).filter((word) => word !== "");
  const hashes = [...new Set(words.map((word) => word.toLowerCase()).filter((word) => /^[0-9a-f]{64}$/.test(word)))];
  return {
    fresh: hashes.filter((hash) => !have.includes(hash)),
    repeated: hashes.filter((hash) => have.includes(hash)).length,
    wrong: words
      .filter((word) => !/^[0-9a-f]{64}$/i.test(word))
      .map((word) => (word.length > 20 ? `${word.slice(0, 12)}…` : word)),
  };
}
