import type { ContentFilterMatch } from "#contract/content-filter-match.ts";
import { readCarried } from "../../../carried-thought.ts";
import type { Blocked, TextFilter } from "./compile.ts";
import { readFile, readLooseText } from "./files.ts";
import { type FilteredForm, forms, type Reading } from "./request-forms.ts";
import { NoRequest, parsedString, type LocatedText, textsIn } from "./texts.ts";

/** What filters make of a request. */
export type FilteredBody =
  | { readonly kind: "blocked"; readonly blocked: Blocked; readonly matches: readonly ContentFilterMatch[] }
  /** `body` null: nothing is redacted. `hasTokens`: it has token ids, which no filter can read */
  | {
      readonly kind: "passed";
      readonly body: Buffer | null;
      readonly matches: readonly ContentFilterMatch[];
      readonly hasTokens: boolean;
    }
  /** it is no JSON */
  | { readonly kind: "unreadable" }
  /** with its marks it is longer than a request may be */
  | { readonly kind: "too_long" };

/** Bytes by which marks may make a request longer. */
const mostAdded = 8 * 1_048_576;

/** Runs filters over the texts of a request. All of its bytes stay as they are, but for the strings that change. */
export function filterBody(bytes: Buffer, form: FilteredForm, filter: TextFilter): FilteredBody {
  try {
    const edited = editTexts(bytes, forms[form], filter);
    const matches = filter.matches();
    if (filter.blocked !== null) return { kind: "blocked", blocked: filter.blocked, matches };
    return { kind: "passed", body: edited.body, matches, hasTokens: edited.hasTokens };
  } catch (error) {
    if (error instanceof NoRequest) return { kind: "unreadable" };
    if (error instanceof TooLong) return { kind: "too_long" };
    throw error;
  }
}

class TooLong extends Error {}

/** @throws NoRequest, TooLong */
function editTexts(bytes: Buffer, form: Reading, filter: TextFilter): { body: Buffer | null; hasTokens: boolean } {
  const { texts, hasTokens } = textsIn(bytes, form);
  const pieces: Buffer[] = [];
  let copied = 0;
  let added = 0;
  for (const one of texts) {
    const instead = edited(bytes, one, filter);
    if (filter.blocked !== null) return { body: null, hasTokens };
    if (instead === null) continue;
    const piece = Buffer.from(JSON.stringify(instead));
    added += piece.length - (one.to - one.from);
    if (added > mostAdded) throw new TooLong();
    pieces.push(bytes.subarray(copied, one.from), piece);
    copied = one.to;
  }
  return { body: pieces.length === 0 ? null : Buffer.concat([...pieces, bytes.subarray(copied)]), hasTokens };
}

/** The text as it is sent; null: as it came. */
function edited(bytes: Buffer, { from, to, as, isUser, isSigned }: LocatedText, filter: TextFilter): string | null {
  const kind = as();
  if (kind === null) return null;
  const text = kind === "number" ? bytes.toString("latin1", from, to) : parsedString(bytes, from, to);
  const said = { isUser: isUser(), isSigned: isSigned() };
  const read = readAs[kind](text, (each, more) => filter.read(each, { ...said, ...more }), filter);
  return read === text ? null : read;
}

/** @param more what the text itself says of who said it */
type Read = (text: string, more?: { readonly isSigned: boolean }) => string;
type Kind = Exclude<ReturnType<LocatedText["as"]>, null>;

const readAs: Readonly<Record<Kind, (text: string, read: Read, filter: TextFilter) => string>> = {
  text: (text, read) => read(text),
  number: (text, read) => read(text),
  json: readJsonText,
  file: readFile,
  loose: readLooseText,
  sealed: (text, read) => readCarried(text, (each, isSigned) => read(each, { isSigned })),
};

const data: Reading = { reads: "data" };

/** A tool's arguments: their texts one by one, so that what is left is JSON as before. */
function readJsonText(text: string, read: Read, filter: TextFilter): string {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) return read(text);
  try {
    JSON.parse(text);
  } catch {
    return read(text);
  }
  const { body } = editTexts(Buffer.from(text), data, filter);
  return body === null ? text : body.toString("utf8");
}
