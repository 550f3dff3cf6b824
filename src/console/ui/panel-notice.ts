import { createContext, type ReactNode } from "react";

/** What every panel on a page says first: the panel covers where the page says it. */
export const PanelNotice = createContext<ReactNode>(null);
