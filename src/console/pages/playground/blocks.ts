/** One picture of a block. `url` is what is sent: the bytes themselves as a data URL, or an address to be fetched. */
export interface ImagePart {
  id: number;
  type: "image";
  url: string;
  name: string;
  /** null where the picture is not here: the browser does not fetch remote addresses */
  size: {
    width: number;
    height: number;
    bytes: number;
    /** the file's, where it was made smaller */ before?: number;
  } | null;
  /** for people only; not sent */
  note: string;
}

export interface TextPart {
  id: number;
  type: "text";
  text: string;
}

export type Part = ImagePart | TextPart;

/** Texts and pictures in order, which give one vector together. */
export interface Block {
  id: number;
  parts: Part[];
}

let made = 0;
const next = () => (made += 1);

export const makeText = (text = ""): TextPart => ({ id: next(), type: "text", text });
export const makeBlock = (parts: Part[] = [makeText()]): Block => ({ id: next(), parts });

/** A picture on the internet, which the provider (not this browser) fetches. */
export function remoteImage(url: string): ImagePart {
  return { id: next(), type: "image", url, name: url, size: null, note: "" };
}

/** Reads a picture file; one wider or higher than `most` pixels is made smaller first. Throws where it is no picture. */
export async function readImage(file: File, most: number | null): Promise<ImagePart> {
  const bitmap = await createImageBitmap(file);
  const scale = most === null ? 1 : Math.min(1, most / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  let blob: Blob = file;
  if (scale < 1) {
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
    blob = await canvas.convertToBlob({ type: file.type === "image/png" ? "image/png" : "image/jpeg", quality: 0.9 });
  }
  bitmap.close();
  const size = { width, height, bytes: blob.size, ...(blob !== file && { before: file.size }) };
  return { id: next(), type: "image", url: await dataUrl(blob), name: file.name, size, note: "" };
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file could not be read.")));
    reader.readAsDataURL(blob);
  });
}

/** A block as it is sent: parts that are empty are left out. */
export function contentOf(block: Block): { content: unknown[] } {
  return {
    content: block.parts.flatMap((part): unknown[] => {
      if (part.type === "image") return [{ type: "image_url", image_url: { url: part.url } }];
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    }),
  };
}

/** A block in words, for lists and pictures. */
export function blockText(block: Block): string {
  const words = block.parts.map((part) =>
    part.type === "text" ? part.text.trim() : `[image ${part.note || part.name}]`,
  );
  return words.filter((word) => word !== "").join(" ");
}
