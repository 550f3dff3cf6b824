/** Images of one message, and the bytes of each: the body of a call has at most 32 MB, and an image grows by a third. */
const maxImages = 4;
const maxBytes = 5_000_000;

export const imageTypes = "image/png,image/jpeg,image/webp,image/gif";

/** The files as data URLs, as far as they are images that can be sent; `problem` says what was left out. */
export async function readImages(
  files: readonly File[],
  before: number,
): Promise<{ images: string[]; problem: string | null }> {
  const fitting = files.filter(({ type, size }) => imageTypes.split(",").includes(type) && size <= maxBytes);
  const taken = fitting.slice(0, Math.max(0, maxImages - before));
  const images = await Promise.all(taken.map(dataUrl));
  if (fitting.length < files.length)
    return { images, problem: "Images are PNG, JPEG, WebP or GIF of at most 5 MB each." };
  return { images, problem: taken.length < fitting.length ? `A message takes at most ${maxImages} images.` : null };
}

async function dataUrl(file: File): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file could not be read")));
    reader.readAsDataURL(file);
  });
}
