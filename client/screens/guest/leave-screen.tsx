import { Form, Link, type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "#client/base/page/context.ts";
import * as texts from "#client/sign-ins/guest-texts.ts";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { BalanceChip } from "#client/wallet/balance-chip.tsx";
import { GuestBalanceNote } from "./guest-screen.tsx";

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

/** For guests only, because only they lose something. Opening the page does not end the sign-in. */
export function loadLeaving({ context }: LoaderFunctionArgs): null {
  if (context.get(pageContext).viewer?.guest !== true) throw redirect("/sessions");
  return null;
}
