import { useEffectEvent, useLayoutEffect } from "react";

type Events = DocumentEventMap & WindowEventMap;

/** Hears an event of `target` while the component is shown and there is one. The latest `listener` is the one that is called. */
export function useListener<K extends keyof Events>(
  target: Document | Window | null,
  type: K,
  listener: (event: Events[K]) => void,
  { capture = false }: { capture?: boolean } = {},
): void {
  const latest = useEffectEvent(listener);
  // before the browser paints: what can be seen can be pressed
  useLayoutEffect(() => {
    const hear = (event: Event) => latest(event as Events[K]);
    target?.addEventListener(type, hear, capture);
    return () => target?.removeEventListener(type, hear, capture);
  }, [target, type, capture]);
}
