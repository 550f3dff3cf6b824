import { createStore } from "../api/store.ts";

/** What lies over the page on request. Here, apart from what is drawn, so that the drawing can be loaded after the page. */
export const commandMenu = createStore(false);
export const shortcutList = createStore(false);
export const pageCalls = createStore(false);
export const drawer = createStore(false);

export function openShortcuts(): void {
  shortcutList.set(true);
}
