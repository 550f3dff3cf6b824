import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Failure } from "./Failure.tsx";
import { PageHeader } from "./PageHeader.tsx";

const reloadedFor = "gatehouse.reloaded-for";

/** In the place of a page that could not be shown: its code did not arrive, or it broke. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="pt-6">
      <PageHeader title="This page did not load" />
      <div className="px-8 pt-4 max-md:px-4">
        <Failure
          error={error}
          what="This page did not load"
          onRetry={() => {
            reset();
            void router.invalidate();
          }}
        />
      </div>
    </div>
  );
}

/** The same where there is no frame around the page, because not even the session could be read. */
export function PageErrorAlone(props: ErrorComponentProps) {
  return (
    <main>
      <PageError {...props} />
    </main>
  );
}

/** After an upgrade an open tab asks for files of the version before, which are gone: it takes the new version. */
export function reloadForMissingCode(error: unknown): void {
  if (isMissingCode(error)) reloadOnce();
}

function isMissingCode(error: unknown): boolean {
  return /dynamically imported module|importing a module script|module script failed/i.test(
    error instanceof Error ? error.message : "",
  );
}

/** One reload per address, so that a file which is really missing does not reload forever. */
function reloadOnce(): void {
  if (sessionStorage.getItem(reloadedFor) === location.href) return;
  sessionStorage.setItem(reloadedFor, location.href);
  location.reload();
}
