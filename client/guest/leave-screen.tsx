import { Form, Link } from "react-router";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Cover } from "../ui/cover.tsx";
import { Submit } from "../ui/submit.tsx";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { GuestBalanceNote } from "./guest-screen.tsx";

/** Warns a guest before the logout: without an account the guest cannot come back. */
export function LeaveScreen() {
  return (
    <Cover corner={<BalanceChip />}>
      <section className="dialog">
        <h1>Leave for good?</h1>
        <p className="ink2">
          Only this browser knows you, and a logout makes it forget. With an account you can come back.
        </p>
        <GuestBalanceNote />
        <Link className="btn primary lg wide" to="/users/guest_registration">
          Create Account
        </Link>
        <Form method="post">
          <CsrfField />
          <Submit className="btn ghost wide">Logout anyway</Submit>
        </Form>
      </section>
    </Cover>
  );
}
