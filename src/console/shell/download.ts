/** Hands a text to the browser as a file. Only for what may lie on a disk: never for a secret. */
export function download(name: string, mediaType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // the browser has taken the bytes over by the next task
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
