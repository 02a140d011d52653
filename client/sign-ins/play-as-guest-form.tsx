import { Form, useNavigation } from "react-router";
import { useClosed } from "../base/page/context.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Submit } from "../ui/submit.tsx";

type PlayAsGuestProps = { returnTo: string; className: string; label?: string };

/** Starts play without an account by one tap. Works without JavaScript too. */
export function PlayAsGuest({ returnTo, className, label = "Play as guest" }: PlayAsGuestProps) {
  const action = `/users/guest?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  const closed = useClosed("guests");
  const busy = useNavigation().formAction === action;
  if (closed !== undefined) return <p className="small ink2">{closed}</p>;
  return (
    <Form method="post" action={action}>
      <CsrfField />
      <Submit className={className} busy={busy}>
        {label}
      </Submit>
    </Form>
  );
}
