import { maximumMembers } from "../../providers/messages.ts";
import type { Turn } from "../../turns.ts";

/**
 * What a call asks for in members that are the vendor's own and are passed on as they are, at any depth and in any
 * spelling: `generationConfig.candidateCount`, `MAX_TOKENS`, `web-search`.
 */
export interface VendorSettings {
  /** members of the body that contain what vendors bill at prices other than the model's, or by the answer */
  readonly unpriced: readonly string[];
  /** the longest answer that they ask for, beside the maximum that is sent by the vendor's name; null: none */
  readonly longest: AskedLength | null;
  /** what the model may think, which some vendors bill beside the longest answer; null: they say nothing of it */
  readonly thinking: AskedLength | null;
}

interface AskedLength {
  readonly path: string;
  readonly tokens: number;
}

/** Ways to ask for several answers, `n` and `best_of` aside, which have a price: in snake case or camel case. */
const severalAnswers =
  /^(?:n|best[_-]?of|(?:n|num|number[_-]?of)[_-]?(?:return[_-]?)?(?:candidates|completions|generations|sequences|samples|choices|outputs|answers|responses|results|beams)|(?:candidate|completion|generation|sequence|sample|choice|output|answer|response|beam)s?[_-]?(?:count|num)|beam[_-]?(?:size|width))$/i;

/** Ways to ask for a long answer: its maximum, its minimum, and what the model may think. */
const answerLengths =
  /^(?:(?:max|min)(?:imum)?[_-]?(?:(?:new|gen|generated|generation|completion|output|response|answer|decoded?|sampled?|thinking|reasoning|predicted)[_-]?)*(?:tokens?(?:[_-]?(?:count|to[_-]?(?:sample|generate)))?|len|length)|(?:(?:n|num)[_-]?)?(?:tokens?[_-]?to[_-]?)?(?:predict|generate)|(?:thinking|reasoning|tokens?|completion|output|response)[_-]?(?:tokens?[_-]?)?(?:budget|limit)(?:[_-]?tokens?)?|budget[_-]?tokens?)$/i;
const thinkingLengths = /think|reason|budget/i;
/** Members of a JSON schema, which vendors take outside `response_format` too. */
const schemaLengths = new Set(["maxLength", "minLength"]);

/** Searches, billed by the query. */
const searches =
  /^(?:(?:(?:enable|use|with|live|google|web|internet|online)[_-]?)+search|(?:(?:web|live|google)[_-]?)*search[_-]?(?:options|parameters|params|settings|config|retrieval|grounding))$/i;
const tiers = /^service[_-]?tier$/i;

/** Members that hold what a model reads, and the two numbers of answers that have a price. */
const notSettings = new Set(["messages", "tools", "response_format", "metadata", "prediction", "n", "best_of"]);
/** Members that are replaced by one maximum, the largest of them. */
const replaced = new Set<string>(maximumMembers);

/** Tiers that cost at most what the model's price says; `auto` leaves it to the vendor. */
export const plainTiers: ReadonlySet<unknown> = new Set([
  "default",
  "standard",
  "standard_only",
  "flex",
  "on_demand",
  "batch",
]);

/** The longest name that is meant, `maximum_completion_tokens`, and some more. */
const longestName = 32;
/** A longer text is not read as a number. */
const longestNumber = 400;
/** Members between two checks of the clock. */
const checkEvery = 512;

type Part = Readonly<Record<string, unknown>>;

export async function vendorSettings(body: Part, turn: Turn): Promise<VendorSettings> {
  const unpriced = new Set<string>();
  let longest: AskedLength | null = null;
  let thinking: AskedLength | null = null;
  let seen = 0;
  const names = Object.keys(body).filter((name) => !notSettings.has(name) && !replaced.has(name));
  const open: Opened[] = [{ top: null, path: "", value: body, names }];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    const { path, value, top: within } = holder;
    // Not the entries: the pairs take three times as long.
    for (const name of holder.names ?? (Array.isArray(value) ? value.keys() : Object.keys(value))) {
      seen += 1;
      if (seen % checkEvery === 0 && turn.isOver()) await turn.next();
      const each = value[name];
      if (each === null || each === undefined || each === false) continue;
      const top = within ?? String(name);
      // A place in a list is no name.
      if (typeof name === "string" && name.length <= longestName) {
        if (isUnpriced(name, each)) unpriced.add(top);
        const tokens = tokensOf(name, each);
        if (tokens > 0 && thinkingLengths.test(name)) thinking = longer(thinking, path + name, tokens);
        else if (tokens > 0) longest = longer(longest, path + name, tokens);
      }
      if (typeof each === "object") open.push({ top, path: `${path}${name}.`, value: each as Part });
    }
  }
  return { unpriced: [...unpriced], longest, thinking };
}

/** An object or a list that is still to be read. */
interface Opened {
  /** the member of the body that it is in; null: it is the body */
  readonly top: string | null;
  /** of what it holds, up to the names */
  readonly path: string;
  readonly value: Readonly<Record<string | number, unknown>>;
  /** default: all of them */
  readonly names?: readonly string[];
}

const longer = (known: AskedLength | null, path: string, tokens: number) =>
  tokens > (known?.tokens ?? 0) ? { path, tokens } : known;

function isUnpriced(name: string, value: unknown): boolean {
  // The cheapest first, since a body holds a hundred thousand of them.
  if (typeof value === "number") return value > 1 && severalAnswers.test(name);
  if (typeof value === "string" && severalAnswers.test(name)) return value.length > longestNumber || Number(value) > 1;
  return asksForTier(name, value) || asksForSearch(name, value);
}

/** Whether a member asks for a tier that costs more than the model's price says. */
export const asksForTier = (name: string, value: unknown) =>
  tiers.test(name) && value !== "auto" && !plainTiers.has(value);

/** Whether a member asks for searches. @param value not null, and not false */
export const asksForSearch = (name: string, value: unknown) =>
  typeof value !== "number" && value !== "" && !(Array.isArray(value) && value.length === 0) && searches.test(name);

/** How many tokens a member allows an answer to have; 0: it says nothing of it. */
function tokensOf(name: string, value: unknown): number {
  if (typeof value !== "number" && typeof value !== "string") return 0;
  if (value === 0 || !answerLengths.test(name) || schemaLengths.has(name)) return 0;
  const tokens = typeof value === "string" && value.length > longestNumber ? Number.POSITIVE_INFINITY : Number(value);
  // Servers that know a negative maximum take it for none at all.
  if (tokens < 0) return /^[mn]/i.test(name) ? Number.POSITIVE_INFINITY : 0;
  return Number.isNaN(tokens) ? 0 : Math.ceil(tokens);
}
