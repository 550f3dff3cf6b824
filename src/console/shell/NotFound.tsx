import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { linkTextClass } from "../ui/LinkText.tsx";
import { PageHeader } from "./PageHeader.tsx";

/** For an address that leads nowhere. */
export function NotFound() {
  return (
    <main className="pt-6">
      <NotFoundHere />
    </main>
  );
}

/** The same inside the frame, where the address is at least a workspace's. */
export function NotFoundHere() {
  return (
    <>
      <PageHeader title="Page not found" />
      <p className="px-8 pt-3 text-13 text-fg-2 max-md:px-4">
        The address may be mistyped, or the page no longer exists.{" "}
        <Link to={paths.home()} className={`${linkTextClass} underline`}>
          Go to the overview
        </Link>
      </p>
    </>
  );
}
