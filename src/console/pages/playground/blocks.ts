/** A picture's bytes, as a data URL. */
export interface ImageFile {
  url: string;
  /** "image/png" */
  type: string;
  width: number;
  height: number;
  bytes: number;
}

/** One picture of a block. `url` is what is sent: the bytes themselves, or an address to be fetched. */
export interface ImagePart {
  id: number;
  type: "image";
  url: string;
  name: string;
  /** what `url` holds; null where the picture is not here: the browser does not fetch remote addresses */
  sent: ImageFile | null;
  /** as it was chosen */
  whole: ImageFile | null;
  /** made smaller; null where it is small as it is */
  reduced: ImageFile | null;
  /** a small picture of it, for lists and the map; null where the picture is not here */
  thumb: string | null;
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
  return { id: next(), type: "image", url, name: url, sent: null, whole: null, reduced: null, thumb: null, note: "" };
}

/** Pixels that a picture has on its longer side once it is made smaller. */
export const smallerSide = 1_024;
/** Pixels of a thumbnail's longer side: sharp at 80 px on a dense screen. */
const thumbSide = 160;

/** The picture as it goes out: made smaller where that is wanted, and where it saves bytes. */
export function asSent(part: ImagePart, shrink: boolean): ImagePart {
  const { whole, reduced } = part;
  if (whole === null) return part;
  const sent = shrink && reduced !== null && reduced.bytes < whole.bytes ? reduced : whole;
  return { ...part, sent, url: sent.url };
}

/** Reads an image file, and makes a smaller version too. Throws if it is not an image. */
export async function readImage(file: File, shrink: boolean): Promise<ImagePart> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const whole = await fileOf(file, width, height);
  const reduced = Math.max(width, height) > smallerSide ? await reduce(bitmap, file.type, smallerSide) : null;
  const thumb = Math.max(width, height) > thumbSide ? (await reduce(bitmap, file.type, thumbSide)).url : whole.url;
  bitmap.close();
  const part: ImagePart = { ...remoteImage(whole.url), name: file.name, whole, reduced, thumb };
  return asSent(part, shrink);
}

async function reduce(bitmap: ImageBitmap, type: string, side: number): Promise<ImageFile> {
  const scale = side / Math.max(bitmap.width, bitmap.height);
  const [width, height] = [bitmap.width, bitmap.height].map((pixels) => Math.max(1, Math.round(pixels * scale))) as [
    number,
    number,
  ];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  // those that can be see-through stay so
  const kept = type === "image/png" || type === "image/webp" ? type : "image/jpeg";
  return fileOf(await canvas.convertToBlob({ type: kept, quality: 0.9 }), width, height);
}

async function fileOf(blob: Blob, width: number, height: number): Promise<ImageFile> {
  return { url: await dataUrl(blob), type: blob.type, width, height, bytes: blob.size };
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file could not be read.")));
    reader.readAsDataURL(blob);
  });
}

const isFilled = ({ parts }: Block) => parts.some((part) => part.type === "image" || part.text.trim() !== "");

/** Further blocks after those that hold something. */
export const withBlocks = (blocks: readonly Block[], added: readonly Block[]): Block[] => [
  ...blocks.filter(isFilled),
  ...added,
];

/** Several blocks as one, which gives one vector: at the place of the first of them, their parts in order. */
export function joinBlocks(blocks: readonly Block[], ids: ReadonlySet<number>): Block[] {
  const [first, ...others] = blocks.filter(({ id }) => ids.has(id));
  if (!first) return [...blocks];
  const parts = [first, ...others].filter(isFilled).flatMap((block) => block.parts);
  const joined = { ...first, parts: parts.length > 0 ? parts : first.parts };
  return blocks.flatMap((block) => (block === first ? joined : others.includes(block) ? [] : block));
}

/** A block's parts as blocks of their own, each of which gives one vector. */
export function splitBlock(blocks: readonly Block[], id: number): Block[] {
  return blocks.flatMap((block) =>
    block.id === id
      ? block.parts.map((part, at) => (at === 0 ? { ...block, parts: [part] } : makeBlock([part])))
      : block,
  );
}

/** The text next to a block's image: its notes, or else its files' names, and its texts. */
export function blockCaption(block: Block): string {
  const words = block.parts.map((part) => (part.type === "text" ? part.text.trim() : part.note || part.name));
  return words.filter((word) => word !== "").join(", ");
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
