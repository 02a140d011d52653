import { Form, Link } from "react-router";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Cover } from "../ui/cover.tsx";
import { Submit } from "../ui/submit.tsx";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { GuestBalanceNote } from "./guest-screen.tsx";
import * as texts from "./guest-texts.ts";

/** Warns a guest before the logout: without an account the guest cannot come back. */
export function LeaveScreen() {
  return (
    <Cover corner={<BalanceChip />}>
      <section className="dialog">
        <h1>{texts.leaveTitle}</h1>
        <p className="ink2">{texts.leaveHint}</p>
        <GuestBalanceNote />
        <Link className="btn primary lg wide" to="/users/guest_registration">
          {texts.createAccount}
        </Link>
        <Form method="post">
          <CsrfField />
          <Submit className="btn ghost wide">{texts.logoutAnyway}</Submit>
        </Form>
      </section>
    </Cover>
  );
}
