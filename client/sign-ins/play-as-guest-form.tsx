import { Form, useNavigation } from "react-router";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Submit } from "../ui/submit.tsx";

type PlayAsGuestProps = { returnTo: string; className: string; label?: string };

/** Starts play without an account by one tap. Works without JavaScript too. */
export function PlayAsGuest({ returnTo, className, label = "Play as guest" }: PlayAsGuestProps) {
  const action = `/users/guest?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  return (
    <Form method="post" action={action}>
      <CsrfField />
      <Submit className={className} busy={useNavigation().formAction === action}>
        {label}
      </Submit>
    </Form>
  );
}
