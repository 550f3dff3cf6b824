/** Tells when an element has its size, and whenever that changes; for a ref, which calls what is returned at the end. */
export function watchSize(element: Element, tell: () => void): () => void {
  const watch = new ResizeObserver(tell);
  watch.observe(element);
  return () => watch.disconnect();
}
