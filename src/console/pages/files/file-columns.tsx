import type { KeptFile } from "#contract/files.ts";
import { formatBytes } from "../../format.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { fileTypeNames } from "./file-types.ts";

export interface FileContext {
  onDelete: (id: string) => void;
}

export const fileColumns: readonly Column<KeptFile, FileContext>[] = [
  {
    id: "filename",
    head: "File",
    width: 232,
    fixed: true,
    skeleton: { width: 160 },
    cell: ({ filename }) => (
      <span dir="auto" className="block truncate font-semibold" {...tip(filename)}>
        {filename}
      </span>
    ),
  },
  {
    id: "id",
    head: "Id, for calls",
    width: 164,
    skeleton: { width: 116 },
    cell: ({ id, filename }) => (
      <div className="flex items-center gap-1">
        <span className="mono min-w-0 truncate text-12" {...tip(id)}>
          {id}
        </span>
        <CopyButton text={id} label={`Copy the id of ${filename}`} />
      </div>
    ),
  },
  {
    id: "mime_type",
    head: "Type",
    width: 112,
    skeleton: { width: 64 },
    cell: ({ mime_type: type }) => (
      <span className="block truncate" {...tip(type)}>
        {fileTypeNames[type]}
      </span>
    ),
  },
  {
    id: "size_bytes",
    head: "Size",
    width: 76,
    figures: true,
    skeleton: { width: 48 },
    cell: ({ size_bytes: size }) => formatBytes(size),
  },
  {
    id: "created_at",
    head: "Uploaded",
    zoned: true,
    width: 160,
    skeleton: { width: 120 },
    cell: ({ created_at: at }) => <TimeCell iso={at} show="exact" />,
  },
];
