export interface Top {
  /** the best so far, the highest score first; of equal scores, the one that came first */
  ids: number[];
  scores: number[];
  add(id: number, score: number): void;
}

/** Keeps the `count` highest scores of many. */
export function makeTop(count: number): Top {
  const ids: number[] = [];
  const scores: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  return {
    ids,
    scores,
    add(id, score) {
      if (ids.length === count && score <= least) return;
      let at = ids.length;
      while (at > 0 && (scores[at - 1] ?? 0) < score) at -= 1;
      ids.splice(at, 0, id);
      scores.splice(at, 0, score);
      ids.length = Math.min(ids.length, count);
      scores.length = ids.length;
      least = scores.at(-1) ?? least;
    },
  };
}
