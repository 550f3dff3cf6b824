import type { FileType } from "#contract/files.ts";

/** What the types are called. */
export const fileTypeNames: Readonly<Record<FileType, string>> = {
  "application/pdf": "PDF",
  "image/png": "PNG image",
  "image/jpeg": "JPEG image",
  "image/gif": "GIF image",
  "image/webp": "WebP image",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel workbook",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint presentation",
  "audio/mpeg": "MP3 audio",
  "audio/wav": "WAV audio",
  "audio/flac": "FLAC audio",
  "audio/ogg": "Ogg audio",
  "application/json": "JSON",
  "application/x-ndjson": "NDJSON",
  "text/csv": "CSV",
  "text/markdown": "Markdown",
  "text/plain": "Text",
};
