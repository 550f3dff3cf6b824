import { runsOf, type Span, spansOf } from "./span.ts";
import { visibleOf } from "./visible.ts";

/** An attempt to have a model ignore its instructions, by the name of what gave it away. */
export interface Injection extends Span {
  readonly pattern: string;
}

/** A phrase. Words are joined by `_`, which stands for what may be between them. */
interface Phrase {
  readonly name: string;
  /** in lower case; one of them is in every match */
  readonly needs: readonly string[];
  readonly words: string;
}

const ignoring = "(?:ignore|disregard|forget|override|bypass|neglect|skip)";
const earlier = "(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system|safety)";
const determiner = "(?:all|any|every|each|the|your|my|of|these|those|our|other|and)";
const instructions = "(?:instructions?|prompts?|rules?|directives?|guidelines?|commands?|programming|training)";
const instructionWords = [
  "instruction",
  "prompt",
  "rule",
  "directive",
  "guideline",
  "command",
  "programming",
  "training",
];
const showing = "(?:reveal|show|print|repeat|output|display|leak|expose|disclose|dump|recite)";

/**
 * https://cheatsheetseries.owasp.org/cheatsheets/LLM_Prompt_Injection_Prevention_Cheat_Sheet.html (LLM01): its patterns,
 * and what is commonly said instead.
 */
const phrases: readonly Phrase[] = [
  {
    name: "ignore_instructions",
    needs: instructionWords,
    words: `${ignoring}_(?:${determiner}_){0,4}${earlier}_(?:${determiner}_){0,2}(?:${earlier}_)?${instructions}`,
  },
  {
    name: "ignore_instructions",
    needs: instructionWords,
    words: `${ignoring}_(?:(?:all|any|every)_(?:of_)?(?:(?:the|your|my)_)?|your_)${instructions}`,
  },
  {
    name: "ignore_instructions",
    needs: ["before", "above", "told", "previous"],
    words: `${ignoring}_(?:everything|anything|all|what)_(?:(?:that|which|you|i|we|was|is|were|have|been|has)_){0,4}(?:before|above|told|previously)`,
  },
  { name: "system_override", needs: ["override"], words: "system_override" },
  {
    name: "developer_mode",
    needs: ["mode"],
    words:
      "(?:you_are_now|enter|enable|activate|switch_(?:in_)?to|go_into)_(?:(?:in|into|the|a)_){0,2}(?:developer|debug|god|jailbreak|jailbroken|unrestricted|sudo|dan)_mode",
  },
  {
    name: "reveal_prompt",
    needs: ["prompt", "instruction"],
    words: `${showing}_(?:(?:me|us|to|back|all|of|the|your|its|exact|full|entire|complete)_){0,5}(?:system|hidden|initial|original|secret|internal)_(?:prompts?|instructions?|message)`,
  },
  { name: "reveal_prompt", needs: ["prompt"], words: "reveal_(?:(?:the|your)_)?prompt" },
  { name: "do_anything_now", needs: ["anything"], words: "do_anything_now" },
  {
    name: "no_restrictions",
    needs: ["restriction", "filter", "limit", "rules", "guideline"],
    words:
      "(?:act|pretend|behave|respond|answer|roleplay)_(?:(?:as|if|like|that|though|you|a|an|ai|are|were|have|had|model|assistant|with)_){1,8}(?:no|without|free_of|free_from)_(?:(?:any|all|ethical|moral|content|safety)_){0,2}(?:restrictions?|filters?|limits|limitations|rules|guidelines)",
  },
  {
    name: "new_instructions",
    needs: ["instruction", "role"],
    words:
      "(?:from_now_on|instead)_(?:you_)?(?:must_|will_|should_)?(?:only_)?(?:follow|obey)_(?:(?:my|these|the|only|new)_){1,3}instructions?",
  },
];

/** Marks of the ends of messages, in which models are trained; no person writes them. */
const roleMarks =
  /<\|(?:im_start|im_end|start_header_id|end_header_id|eot_id|endoftext|system)\|>|\[\/?INST\]|<<\/?SYS>>/g;

const letter = "\\p{L}\\p{N}";
const compiled = phrases.map(({ name, needs, words }) => ({
  name,
  needs,
  spoken: new RegExp(`(?<![${letter}])${words.replaceAll("_", "[^\\p{L}\\p{N}]{1,100}")}(?![${letter}])`, "giu"),
  /** the same without anything between its words */
  squeezed: new RegExp(words.replaceAll("_", ""), "giu"),
}));

/** Everything in a text that looks like an attempt, plain or disguised. */
export function* findInjections(text: string): Generator<Injection, void, void> {
  const visible = visibleOf(text);
  if (visible === null) return yield* inVisible(text);
  for (const { pattern, ...part } of inVisible(visible.text)) yield { pattern, ...visible.written(part) };
}

function* inVisible(text: string): Generator<Injection, void, void> {
  yield* spoken(text);
  yield* named("role_marks", spansOf(text, roleMarks));
  yield* spaced(text);
  yield* scrambled(text);
  yield* encoded(text);
}

function* named(pattern: string, spans: Iterable<Span>): Generator<Injection, void, void> {
  for (const span of spans) yield { pattern, ...span };
}

function* spoken(text: string): Generator<Injection, void, void> {
  const lower = text.toLowerCase();
  for (const { name, needs, spoken: pattern } of compiled) {
    if (needs.some((word) => lower.includes(word))) yield* named(name, spansOf(text, pattern));
  }
}

const isSpoken = (text: string) => !spoken(text).next().done;

/** Letters one by one, such as `i g n o r e`, with more between words or not. */
const singleLetters = /(?<![\p{L}\p{N}])\p{L}(?:[ .,_*\-\t\n]{1,4}\p{L}(?![\p{L}\p{N}])){7,50000}/gu;

function* spaced(text: string): Generator<Injection, void, void> {
  for (const { from, to } of spansOf(text, singleLetters)) {
    const squeezed = text.slice(from, to).replaceAll(/\P{L}+/gu, "");
    if (compiled.some((phrase) => squeezed.search(phrase.squeezed) !== -1))
      yield { pattern: "spaced_letters", from, to };
  }
}

/** https://arxiv.org/abs/2410.01677: models read words whose middle letters are in another order. */
const scrambledWords = (
  "ignore disregard forget override bypass previous prior above earlier system instruction instructions prompt prompts " +
  "rules directives guidelines reveal developer activate enable enter restrictions pretend original hidden everything"
).split(" ");
const byEnds = Map.groupBy(scrambledWords, (word) => endsOf(word));
const longWord = /(?<![a-z])[a-z]{5,12}(?![a-z])/gi;

function endsOf(word: string): string {
  return `${word.charAt(0)}${word.charAt(word.length - 1)}${word.length}`;
}

const inOrder = (word: string) => [...word].toSorted().join("");

function* scrambled(text: string): Generator<Injection, void, void> {
  let changed = false;
  const read = text.replaceAll(longWord, (word) => {
    const lower = word.toLowerCase();
    const meant = byEnds.get(endsOf(lower))?.find((each) => each !== lower && inOrder(each) === inOrder(lower));
    changed ||= meant !== undefined;
    return meant ?? word;
  });
  if (!changed) return;
  // A word is as long as before, so places are the same.
  const plain = new Set([...spoken(text)].map(({ from }) => from));
  for (const { from, to } of spoken(read)) if (!plain.has(from)) yield { pattern: "scrambled_letters", from, to };
}

const leastEncoded = 20;
/** Without padding, which ends one run and begins another: `payload=SWdub3Jl`. */
const isBase64 = charactersOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_");
/** Lines of base64, as mail has them: of one length, but for the last. */
const wrapped = /(?<![A-Za-z0-9+/_-])([A-Za-z0-9+/_-]{40,120}\r?\n){1,2000}[A-Za-z0-9+/_-]{1,120}/g;
/** With what may be before each byte, or between two. */
const isHex = charactersOf("0123456789abcdefABCDEF \\x%,:");
const separators = /\\x|0x|[% ,:]/g;

function charactersOf(characters: string): (code: number) => boolean {
  const among = new Set(Buffer.from(characters));
  return (code) => among.has(code);
}

function* encoded(text: string): Generator<Injection, void, void> {
  for (const span of runsOf(text, isBase64, leastEncoded)) {
    if (isSpoken(Buffer.from(text.slice(span.from, span.to), "base64").toString("utf8"))) {
      yield { pattern: "base64", ...span };
    }
  }
  for (const { from, to } of spansOf(text, wrapped)) {
    const lines = text.slice(from, to).replaceAll(/\s/g, "");
    if (isSpoken(Buffer.from(lines, "base64").toString("utf8"))) yield { pattern: "base64", from, to };
  }
  for (const { from, to } of runsOf(text, isHex, leastEncoded)) {
    const run = text.slice(from, to);
    const digits = run.replaceAll(separators, "");
    if (digits.length < leastEncoded) continue;
    // The last character of a word before it may be a digit as well.
    const isFound = [digits, digits.slice(1)].some((one) => isSpoken(Buffer.from(one, "hex").toString("utf8")));
    const lead = run.length - run.trimStart().length;
    if (isFound) yield { pattern: "hex", from: from + lead, to: from + run.trimEnd().length };
  }
}
