import { useStore } from "../../api/store.ts";
import { download } from "../../shell/download.ts";
import { Button } from "../../ui/Button.tsx";
import { Menu } from "../../ui/Menu.tsx";
import type { Run } from "./playground.ts";
import type { ViewName } from "./settings.ts";
import type { Playground } from "./use-playground.ts";

interface ExportMenuProps {
  playground: Playground;
  /** undefined: there are no vectors yet */
  run: Run | undefined;
  view: ViewName;
}

/** A run's rows and vectors as a file, and the map or the matrix as an image. */
export function ExportMenu({ playground: { store, worker, picture }, run, view }: ExportMenuProps) {
  const { used } = useStore(store);
  const noImage = view !== "map" && view !== "matrix" && "Only the map and the matrix can be saved as images";
  async function save(format: "jsonl" | "csv" | "csv-texts" | "npy") {
    if (!run) return;
    const blob = await worker.ask("file", { run: run.id, used, format, rows: run.shown });
    download(`embeddings_${run.model.replaceAll("/", "-")}.${format.replace("-texts", "")}`, blob);
  }
  function savePng() {
    const canvas = document.querySelector<HTMLCanvasElement>('section[aria-label="Results"] canvas');
    // the map is drawn in the next frame; before it, a new one is still empty
    requestAnimationFrame(() =>
      canvas?.toBlob((blob) => {
        if (blob) download(`embeddings_${view}.png`, blob);
      }),
    );
  }
  function saveSvg() {
    const svg = picture.svg();
    if (svg !== undefined) download(`embeddings_${view}.svg`, svg, "image/svg+xml");
  }
  return (
    <Menu
      trigger={
        <Button size="sm" variant="quiet" disabledReason={!run && "There is nothing to export yet"}>
          Export
        </Button>
      }
      items={[
        { label: "JSONL with vectors", onSelect: () => void save("jsonl") },
        { label: "CSV with vectors", onSelect: () => void save("csv") },
        { label: "CSV without vectors", onSelect: () => void save("csv-texts") },
        { label: "NumPy (.npy)", onSelect: () => void save("npy") },
        { label: "Image (PNG)", disabledReason: noImage, onSelect: savePng },
        { label: "Image (SVG)", disabledReason: noImage, onSelect: saveSvg },
      ]}
    />
  );
}
