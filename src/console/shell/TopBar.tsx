import { Menu, Search, Clock as ClockIcon } from "lucide-react";
import { lazy, Suspense } from "react";
import { useNow } from "../api/clock.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { Mark } from "../ui/Mark.tsx";
import { withMod } from "../ui/mod-key.ts";
import { useFirstPageShown } from "./first-page.ts";
import { commandMenu, drawer } from "./overlays.ts";
import { WorkspaceSwitcher } from "./WorkspaceSwitcher.tsx";

// menus come with the code that places them; the bar does not wait for it
const AccountMenu = lazy(async () => ({ default: (await import("./AccountMenu.tsx")).AccountMenu }));

/** The bar over every page: workspace, command menu, clock, account. Under 1000 px also the way to the sidebar. */
export function TopBar() {
  const pageShown = useFirstPageShown();
  const placeOfMenu = <span className="size-7 shrink-0 rounded-1 bg-bg-3" />;
  return (
    <header className="flex h-12 items-center gap-5 border-b border-line bg-bg-1 px-8 max-md:gap-3 max-md:px-4">
      <IconButton label="Menu" onClick={() => drawer.set(true)} className="-ml-2.5 lg:hidden">
        <Menu size={16} aria-hidden="true" />
      </IconButton>
      <Mark size={16} className="-ml-1 shrink-0 lg:hidden" />
      <WorkspaceSwitcher />
      <button
        type="button"
        onClick={() => commandMenu.set(true)}
        aria-keyshortcuts="Control+K Meta+K"
        className="ml-auto flex h-7 w-62 shrink-0 items-center gap-2 rounded-2 bg-bg-2 pr-1.5 pl-2.5 text-13 text-fg-3 hover:text-fg-1 max-lg:w-52 max-md:w-7 max-md:justify-center max-md:bg-transparent max-md:p-0"
      >
        <Search size={13} aria-hidden="true" />
        <span className="truncate max-md:sr-only">Search or jump to</span>
        <Kbd className="ml-auto">{withMod("K")}</Kbd>
      </button>
      <Clock />
      <Suspense fallback={placeOfMenu}>{pageShown ? <AccountMenu /> : placeOfMenu}</Suspense>
    </header>
  );
}

/** The gateway's clock: UTC first, because limits reset by it, then the time here. */
function Clock() {
  const now = useNow(5_000);
  const utc = now.toISOString().slice(11, 16);
  const here = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(now);
  return (
    <time
      dateTime={now.toISOString()}
      className="flex items-center gap-2 text-13 whitespace-nowrap text-fg-2 tabular-nums"
    >
      <ClockIcon size={13} aria-hidden="true" className="max-md:hidden" />
      <span>
        {utc} <span className="font-semibold">UTC</span>
        {here !== utc && <span className="text-fg-3 max-lg:hidden"> · {here} here</span>}
      </span>
    </time>
  );
}
