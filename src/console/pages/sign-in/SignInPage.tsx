import { Navigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSession } from "../../api/session.ts";
import { exchangeSignInToken, hasSignInToken } from "../../api/sign-in-link.ts";
import { paths, wayBack } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { SignInForm, signInProblem } from "../../shell/SignInForm.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Mark } from "../../ui/Mark.tsx";

/** Where a management key, or the link that the first start prints, becomes a session. */
export function SignInPage() {
  const { to } = useSearch({ from: "/sign-in" });
  const [link, setLink] = useState<"none" | "trying" | { problem: string }>(hasSignInToken() ? "trying" : "none");
  const { state } = useSession();

  useEffect(() => {
    exchangeSignInToken()?.catch((error: unknown) => setLink({ problem: signInProblem(error) }));
  });

  return (
    <main className="mx-auto max-w-110 pt-[16vh]">
      {/* here or in another tab */}
      {state === "signed-in" && <Navigate to={paths.home()} href={wayBack(to)} replace />}
      <div className="flex items-center gap-2.5 px-8 pb-6 text-[15px]/5 font-semibold tracking-snug max-md:px-4">
        <Mark size={18} />
        Gatehouse
      </div>
      <PageHeader title="Sign in" />
      <div className="grid gap-5 px-8 pt-3 max-md:px-4">
        {link === "trying" ? (
          <p role="status" className="text-13 text-fg-2">
            Signing in with the link.
          </p>
        ) : (
          <>
            <p className="text-13 text-fg-2">
              The console asks for a management key once and keeps a session in a cookie, never the key.
            </p>
            {link !== "none" && (
              <div role="alert">
                <FieldError>The sign-in link did not work. {link.problem}</FieldError>
              </div>
            )}
            <SignInForm />
          </>
        )}
      </div>
    </main>
  );
}
