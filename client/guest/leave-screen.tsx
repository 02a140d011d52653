import { Form, Link } from "react-router";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Cover } from "../ui/cover.tsx";
import { Submit } from "../ui/submit.tsx";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { Keeps } from "./guest-screen.tsx";

/** What a guest loses by logging out, and how to keep it. */
export function LeaveScreen() {
  return (
    <Cover corner={<BalanceChip />}>
      <section className="dialog">
        <h1>Leave for good?</h1>
        <p className="ink2">
          Only this browser knows you, and a logout makes it forget. With an account you can come back.
        </p>
        <Keeps />
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
