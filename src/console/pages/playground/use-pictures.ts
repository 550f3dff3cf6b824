import { useState, type DragEvent } from "react";
import { useListener } from "../../ui/use-listener.ts";
import { makeBlock, readImage, withBlocks } from "./blocks.ts";
import { change, type PlaygroundStore } from "./playground.ts";

export interface Pictures {
  /** makes a block, so a vector, of each */
  take: (files: readonly File[]) => Promise<void>;
  /** what could not be read, in a sentence */
  trouble: string | null;
  onDrop: (event: DragEvent) => void;
}

const isPicture = ({ type }: File) => type.startsWith("image/");
/** Where a paste is somebody else's. */
const elsewhere = "[role=dialog], [role=alertdialog]";

/** Takes pictures in by drop, paste or choice, whatever of the input is shown: each file becomes one vector. */
export function usePictures(store: PlaygroundStore): Pictures {
  const [trouble, setTrouble] = useState<string | null>(null);
  async function take(files: readonly File[]) {
    setTrouble(null);
    const unread: string[] = [];
    const count = (by: number) => change(store, { reading: store.get().reading + by });
    count(files.length);
    for (const file of files) {
      try {
        const part = await readImage(file, store.get().shrink);
        change(store, { mode: "multimodal", blocks: withBlocks(store.get().blocks, [makeBlock([part])]) });
      } catch {
        unread.push(file.name);
      }
      count(-1);
    }
    if (unread.length > 0) setTrouble(unreadWords(unread));
  }
  useListener(document, "paste", (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])].filter(isPicture);
    // cells of a table are copied as a picture too, with their text
    if (pasted.length === 0 || event.clipboardData?.getData("text") !== "") return;
    if (event.target instanceof Element && event.target.closest(elsewhere) !== null) return;
    event.preventDefault();
    void take(pasted);
  });
  return {
    take,
    trouble,
    onDrop(event) {
      const files = [...event.dataTransfer.files];
      if (!files.some(isPicture)) return;
      event.preventDefault();
      event.stopPropagation();
      void take(files);
    },
  };
}

/** "notes.txt and 2 more cannot be read as images. …" */
export function unreadWords([first, ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${first}${more} cannot be read as ${more === "" ? "an image" : "images"}. PNG, JPEG and WebP work.`;
}
