import { useRef, useState, type SyntheticEvent } from "react";
import { useCountdown } from "../api/clock.ts";
import { ApiError, NetworkError } from "../api/errors.ts";
import { signIn } from "../api/sign-in.ts";
import { Button } from "../ui/Button.tsx";
import { Field, FieldError } from "../ui/Field.tsx";
import { PasswordInput } from "../ui/PasswordInput.tsx";

interface Problem {
  text: string;
  /** after too many attempts */
  waitSeconds: number;
}

/**
 * Exchanges a management key for a session. The key lives in the field alone: it is read once on submit, and the
 * field is emptied whatever the answer, so no state, cache or history of this page holds it.
 */
export function SignInForm() {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const [pending, setPending] = useState(false);
  const waitSeconds = useCountdown(problem?.waitSeconds ?? 0, problem);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (pending || waitSeconds > 0) return;
    const key = field.current?.value.trim() ?? "";
    if (key === "") {
      setProblem({ text: "Paste a management key.", waitSeconds: 0 });
      field.current?.focus();
      return;
    }
    setPending(true);
    setProblem(undefined);
    try {
      const answer = signIn({ management_key: key });
      if (field.current) field.current.value = "";
      await answer;
    } catch (error) {
      const slowed = error instanceof ApiError && error.status === 429;
      setProblem({ text: signInProblem(error), waitSeconds: slowed ? (error.retryAfter ?? 8) : 0 });
      field.current?.focus();
    } finally {
      setPending(false);
    }
  }

  const said = waitSeconds > 0 ? `Too many attempts. Try again in ${waitSeconds} s.` : problem?.text;
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4" noValidate>
      <Field
        label="Management key"
        hint="Printed on the first start (sk-gh-mgmt-v1-…), or set as GATEHOUSE_MANAGEMENT_KEY."
      >
        {(control) => (
          <PasswordInput
            {...control}
            ref={field}
            // the page is for this field, and a password manager looks where the focus is
            autoFocus
            aria-invalid={problem === undefined ? undefined : true}
            autoComplete="current-password"
          />
        )}
      </Field>
      <div role="alert" className="empty:hidden">
        {said && <FieldError>{said}</FieldError>}
      </div>
      <div>
        <Button
          type="submit"
          variant="primary"
          pending={pending}
          disabledReason={waitSeconds > 0 && `Too many failed attempts: wait ${waitSeconds} s.`}
        >
          Sign in
        </Button>
      </div>
    </form>
  );
}

/** Why signing in failed, in words that say what would work. */
export function signInProblem(error: unknown): string {
  if (error instanceof NetworkError) return "The gateway does not answer. Check that it runs, then try again.";
  if (!(error instanceof ApiError)) return "The console had a problem. Reload the page and try again.";
  if (error.status === 429) return "You can try again now.";
  return error.message;
}
