/** A part of an answer that is shown by itself. */
export interface Block {
  readonly kind: "code" | "heading" | "text";
  readonly text: string;
}

/** A piece of a line. */
export interface Span {
  readonly kind: "code" | "strong" | "plain";
  readonly text: string;
}

/**
 * Cuts an answer into code, headings and paragraphs. Lists, tables and HTML stay the text that they are: nothing that a
 * model writes becomes anything but text on the page.
 */
export function blocksOf(answer: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const end = (kind: Block["kind"]) => {
    const text = lines.join("\n");
    if (kind === "code" || text.trim() !== "") blocks.push({ kind, text });
    lines = [];
  };
  for (const line of answer.split("\n")) {
    const [, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== null) {
      const closes = marks !== undefined && marks.startsWith(fence) && line.trim() === marks;
      if (closes) {
        end("code");
        fence = null;
      } else lines.push(line);
      continue;
    }
    const heading = /^#{1,6} +(.*)$/.exec(line)?.[1];
    if (marks === undefined && heading === undefined && line.trim() !== "") {
      lines.push(line);
      continue;
    }
    end("text");
    fence = marks ?? null;
    if (heading !== undefined) blocks.push({ kind: "heading", text: heading });
  }
  end(fence === null ? "text" : "code");
  return blocks;
}

/** Code and bold words within a line; everything else is as it was written. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(/`([^`\n]+)`|\*\*([^*\n]+)\*\*/g)) {
    if (match.index > from) spans.push({ kind: "plain", text: text.slice(from, match.index) });
    const [whole, code, strong = ""] = match;
    spans.push(code === undefined ? { kind: "strong", text: strong } : { kind: "code", text: code });
    from = match.index + whole.length;
  }
  if (from < text.length) spans.push({ kind: "plain", text: text.slice(from) });
  return spans;
}
