import { useStore } from "../../api/store.ts";
import { download } from "../../shell/download.ts";
import { counted } from "../../format.ts";
import type { FileFormat } from "../../vectors/protocol.ts";
import { exportName, exportRows } from "./export-rows.ts";
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
  const { used, picked } = useStore(store);
  const only = picked && picked.length > 0 ? picked : null;
  const part = only ? `, ${counted(only.length, "picked row")}` : "";
  const noImage = view !== "map" && view !== "matrix" && "Only the map and the matrix can be saved as images";
  async function save(format: FileFormat) {
    if (!run) return;
    const [space] = run.progress.spaces;
    const about = { model: run.model, ...(space !== undefined && run.progress.spaces.length === 1 && { space }) };
    const rows = exportRows(run, picture.facts(run.id));
    const blob = await worker.ask("file", { run: run.id, used, format, rows, only, about });
    download(`${exportName(run, only ? "_picked" : "")}.${format.replace("-texts", "")}`, blob);
  }
  function savePng() {
    const canvas = document.querySelector<HTMLCanvasElement>('section[aria-label="Results"] canvas');
    // the map is drawn in the next frame; before it, a new one is still empty
    requestAnimationFrame(() =>
      canvas?.toBlob((blob) => {
        if (blob && run) download(`${exportName(run)}_${view}.png`, blob);
      }),
    );
  }
  function saveSvg() {
    const svg = picture.svg();
    if (svg !== undefined && run) download(`${exportName(run)}_${view}.svg`, svg, "image/svg+xml");
  }
  return (
    <Menu
      trigger={
        <Button size="sm" variant="quiet" disabledReason={!run && "There is nothing to export yet"}>
          Export
        </Button>
      }
      items={[
        { label: `JSONL with vectors${part}`, onSelect: () => void save("jsonl") },
        { label: `CSV with vectors${part}`, onSelect: () => void save("csv") },
        { label: `CSV without vectors${part}`, onSelect: () => void save("csv-texts") },
        { label: `NumPy (.npy)${part}`, onSelect: () => void save("npy") },
        { label: "Image (PNG)", disabledReason: noImage, onSelect: savePng },
        { label: "Image (SVG)", disabledReason: noImage, onSelect: saveSvg },
      ]}
    />
  );
}
