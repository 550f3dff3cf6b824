/**
 * A file's text: UTF-8, or UTF-16 with a byte order mark.
 * @throws Error with a sentence for the person, where it is neither: a wrong reading would be sent, and paid for
 */
export async function readText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length === 0) throw new Error(`${file.name} is empty.`);
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  let text: string | null;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    text = null;
  }
  if (text === null || text.includes("\0"))
    throw new Error(`${file.name} is not UTF-8 text. Save it as UTF-8, then choose it again.`);
  return text;
}
