import { spread } from "./random.ts";

/** Words are counted in at most so many rows and so much of each: names are chosen, not measured. */
const sampleSize = 3_000;
const mostChars = 600;
/** Words that are kept for each group, most distinctive first. */
const mostWords = 4;
/** A word is a name if its log-odds lie this many standard errors above those elsewhere: 97.5 % of noise does not. */
const leastZ = 1.96;
/** Among few rows nothing gets there: what at least half of the group's rows have is a name from here on. */
const leastSharedZ = 1.5;
/** Where nothing gets even there, so many words name the group that are more frequent in it than elsewhere: it needs a handle. */
const fewWords = 2;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const spacedWord = /\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*/gu;
/** English words that name nothing. In few rows they may well be unevenly spread; of other languages the counts decide. */
const empty = new Set(
  "about above after again against all also although always among and another any are around because been before being below between both but can could did does doing down during each even ever every few for from further had has have having her here hers herself him himself his how into its itself just less like made make makes many may might more most much must never not nothing now off often once one only onto other our ours out over own per same she should since some still such than that the their theirs them then there these they this those three through too toward two under until upon very was were what when where which while who whom whose why will with within without would yet you your yours".split(
    " ",
  ),
);

interface Scored {
  word: string;
  z: number;
}

/** The rows with a word: in each group, and by the form that it has there. */
interface Counted {
  rows: Float64Array;
  forms: Map<string, number>;
}

/**
 * The words that tell each group from the others: by the log-odds of a row containing the word, in the group against
 * elsewhere, with half a row added to each count, over their standard error (Monroe, Colaresi and Quinn, 2008,
 * "Fightin' Words", without their prior).
 * @param of by row, the place of its group
 * @param textOf a row's text; "" for none
 * @returns by group; none where no word is more frequent in it than elsewhere
 */
export function groupNames(
  rows: Int32Array,
  of: Uint8Array,
  groups: number,
  textOf: (row: number) => string,
): string[][] {
  const sizes = new Float64Array(groups);
  const counts = new Map<string, Counted>();
  const sample = spread(rows, sampleSize);
  for (const row of sample) {
    const group = of[row] ?? 0;
    sizes[group] = (sizes[group] ?? 0) + 1;
    for (const [word, form] of wordsOf(textOf(row).slice(0, mostChars))) {
      let count = counts.get(word);
      if (!count) counts.set(word, (count = { rows: new Float64Array(groups), forms: new Map() }));
      count.rows[group] = (count.rows[group] ?? 0) + 1;
      count.forms.set(form, (count.forms.get(form) ?? 0) + 1);
    }
  }
  const scored: Scored[][] = Array.from({ length: groups }, () => []);
  const others: Scored[][] = Array.from({ length: groups }, () => []);
  for (const { rows: having, forms } of counts.values()) {
    const all = having.reduce((sum, each) => sum + each, 0);
    for (let group = 0; group < groups; group += 1) {
      const own = having[group] ?? 0;
      // one row's own words say nothing of its group
      if (own < 2) continue;
      const size = sizes[group] ?? 0;
      const z = distinct([own, size], [all - own, sample.length - size]);
      if (z >= leastZ || (z >= leastSharedZ && 2 * own >= size)) scored[group]?.push({ word: usual(forms), z });
      else if (z > 0) others[group]?.push({ word: usual(forms), z });
    }
  }
  // of words that are as distinctive the longer ones say more
  const order = (a: Scored, b: Scored) => b.z - a.z || b.word.length - a.word.length || (a.word < b.word ? -1 : 1);
  return scored.map((words, group) => {
    const [from, most] = words.length > 0 ? [words, mostWords] : [others[group] ?? [], fewWords];
    return from
      .toSorted(order)
      .slice(0, most)
      .map(({ word }) => word);
  });
}

type Share = readonly [having: number, rows: number];

/** How far apart two shares are, as log-odds in standard errors. */
function distinct([own, size]: Share, [others, rest]: Share): number {
  const odds = (having: number, rows: number) => (having + 0.5) / (rows - having + 0.5);
  const cells = [own, size - own, others, rest - others];
  const error = Math.sqrt(cells.reduce((sum, cell) => sum + 1 / (cell + 0.5), 0));
  return (Math.log(odds(own, size)) - Math.log(odds(others, rest))) / error;
}

/** The form that most rows have; of equals the first. */
function usual(forms: ReadonlyMap<string, number>): string {
  const most = Math.max(...forms.values());
  return [...forms].find(([, count]) => count === most)?.[0] ?? "";
}

/** "goals" and "goal" are counted together; so is what is no plural, which harms nobody: the form is what is shown. */
const folded = (word: string) => (word.length > 3 ? word.replace(/(?<=[^s])s$/, "") : word);

/**
 * Each word of a text once, in lower case and as it stands there; what has fewer than three letters is no name, unless
 * its language leaves no spaces.
 */
function wordsOf(text: string): Map<string, string> {
  const lower = text.toLowerCase();
  const words = new Map<string, string>();
  for (const word of lower.match(spacedWord) ?? []) {
    if (word.length < 3 || empty.has(word) || unspaced.test(word)) continue;
    const key = folded(word);
    if (!words.has(key)) words.set(key, word);
  }
  if (unspaced.test(lower)) {
    const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(lower);
    for (const { segment, isWordLike } of segments) {
      if (isWordLike === true && unspaced.test(segment)) words.set(segment, segment);
    }
  }
  return words;
}
