/**
 * As an element's ref: tells the whole page how tall the element is, as a custom property of the document, so that others
 * that are fixed or sticky keep out of its way.
 */
export function heightProperty(property: "--h-foot" | "--h-bar") {
  return (element: HTMLDivElement): (() => void) => {
    const { style } = document.documentElement;
    const watcher = new ResizeObserver(([entry]) => {
      style.setProperty(property, `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`);
    });
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      style.removeProperty(property);
    };
  };
}
