/** Hands a file to the browser. Its URL is gone before the click is over: the browser has the bytes by then. */
export function download(name: string, content: Blob | string, mediaType = ""): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
