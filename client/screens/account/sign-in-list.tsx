import { Form } from "react-router";
import type { AccountIntent } from "#client/sign-ins/change-account.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { SignInView } from "#src/people/sign-ins/schemas.ts";
import * as texts from "./account-texts.ts";

/** The browsers where the account is signed in, this one first. */
export function SignInList({ signIns, done }: { signIns: SignInView[]; done: AccountIntent | null }) {
  const others = signIns.length > 1;
  return (
    <Panel title={texts.signIns} aside={signIns.length}>
      {done === null ? null : (
        <div className="body">
          <Note tone="ok">
            {done === "end_sign_in" ? texts.signedOutThere : texts.signedOutEverywhereElse}
          </Note>
        </div>
      )}
      <ul className="list">
        {signIns.map((signIn) => (
          <SignInRow key={signIn.id} {...signIn} />
        ))}
      </ul>
      {others ? (
        <Form className="body" method="post" action="/profile/account">
          <CsrfField />
          <Submit className="btn" intent="end_other_sign_ins">
            {texts.signOutEverywhereElse}
          </Submit>
        </Form>
      ) : null}
    </Panel>
  );
}

function SignInRow({ id, current, browser, address, lastSeenAt }: SignInView) {
  return (
    <li>
      <span className="grow">
        <span className="strong">{browser}</span>
        <span className="small ink2 num">
          {fill(current ? texts.addressNow : texts.addressAt, {
            address: address ?? texts.unknownAddress,
            at: <Moment at={lastSeenAt} />,
          })}
        </span>
      </span>
      {current ? (
        <span className="pill outline">{texts.thisBrowser}</span>
      ) : (
        <Form method="post" action="/profile/account">
          <CsrfField />
          <input type="hidden" name="sign_in_id" value={id} />
          <Submit className="btn sm" intent="end_sign_in">
            {texts.signOut}
          </Submit>
        </Form>
      )}
    </li>
  );
}
