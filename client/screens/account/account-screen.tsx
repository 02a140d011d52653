import type { ReactNode } from "react";
import {
  Form,
  Link,
  type LoaderFunctionArgs,
  useActionData,
  useLoaderData,
  useSearchParams,
} from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { usePasskeyParts } from "#client/passkeys/use-passkey-parts.ts";
import { AccountForm, CurrentPassword } from "#client/sign-ins/account-form.tsx";
import type { AccountIntent, AccountRefusal } from "#client/sign-ins/change-account.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import { NewPasswordFields } from "#client/sign-ins/new-password-fields.tsx";
import { deletionTexts, ownDataTexts } from "#client/sign-ins/own-data-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { SignInView } from "#src/people/sign-ins/schemas.ts";
import type { AccountAnswer } from "#src/people/users/schemas.ts";
import * as texts from "./account-texts.ts";

/** The account's address and password, its sign-ins and its data, and how to close or delete it. */
export function AccountScreen() {
  const { account, signIns } = useLoaderData<AccountAnswer>();
  const parts = usePasskeyParts();
  return (
    <PageLayout title={texts.account}>
      <div className="split">
        <div className="stack wide">
          <EmailPanel {...account} />
          <PasswordPanel />
          {parts === null ? null : <parts.PasskeysPanel />}
        </div>
        <div className="stack wide">
          <SignInList signIns={signIns} done={useDone("end_sign_in", "end_other_sign_ins")} />
          <OwnData />
          <CloseAccount refusal={useRefusal("close")} />
          <DeleteAccount
            refusal={useRefusal("delete")}
            passkeys={parts === null || account.passkeysCount === 0 ? null : <parts.DeleteByPasskey />}
          />
        </div>
      </div>
    </PageLayout>
  );
}

function EmailPanel({ email, confirmed, pendingEmail }: AccountAnswer["account"]) {
  const refusal = useRefusal("email");
  const done = useDone("email") !== null;
  return (
    <Panel title={texts.email}>
      <AccountForm intent="email" label={texts.changeEmail} refusal={refusal} done={done ? MAILED : null}>
        <p>{fill(texts.currentEmail, { email: <strong className="wrap-anywhere">{email}</strong> })}</p>
        {confirmed ? null : (
          <Note tone="warn">
            {fill(texts.emailNotConfirmed, {
              again: <Link to="/users/confirmation">{texts.sendAgain}</Link>,
            })}
          </Note>
        )}
        {pendingEmail === null || done ? null : (
          <Note>
            {fill(texts.emailChangeWaits, {
              email: <strong className="wrap-anywhere">{pendingEmail}</strong>,
            })}
          </Note>
        )}
        <EmailField label={texts.newEmail} autoComplete="email" refusal={refusal} />
      </AccountForm>
    </Panel>
  );
}

const MAILED = texts.confirmationSent;

function PasswordPanel() {
  const refusal = useRefusal("password");
  const done = useDone("password");
  return (
    <Panel title={texts.password}>
      <AccountForm
        intent="password"
        label={texts.changePassword}
        refusal={refusal}
        done={done === null ? null : texts.passwordChanged}
      >
        <NewPasswordFields errors={refusal?.errors ?? {}} />
      </AccountForm>
    </Panel>
  );
}

function useRefusal(intent: AccountIntent): AccountRefusal | undefined {
  const refusal = useActionData<AccountRefusal>();
  return refusal?.intent === intent ? refusal : undefined;
}

/** The one of these that was just done; null where none was, or something was refused since. */
function useDone(...intents: AccountIntent[]): AccountIntent | null {
  const refusal = useActionData<AccountRefusal>();
  const [search] = useSearchParams();
  const done = intents.find((intent) => intent === search.get("done"));
  return refusal === undefined ? (done ?? null) : null;
}

/** Closes the account, after a question. */
function CloseAccount({ refusal }: { refusal: AccountRefusal | undefined }) {
  const wrong = refusal?.errors["currentPassword"] === undefined ? refusal?.refusal : WRONG_PASSWORD;
  return (
    <Panel title={texts.closeTheAccount}>
      <div className="body stack narrow">
        <p className="small ink2">{texts.closeHint}</p>
        {wrong === undefined ? null : <Note tone="bad">{wrong}</Note>}
        <Confirm
          label={texts.closeMyAccount}
          title={texts.closeConfirm}
          act={{ label: texts.closeMyAccount, intent: "close" }}
          cancelLabel={texts.keepIt}
        >
          <p>{texts.closeConfirmHint}</p>
          <CurrentPassword intent="close" refusal={undefined} />
        </Confirm>
      </div>
    </Panel>
  );
}

const WRONG_PASSWORD = texts.wrongPassword;

/** The browsers where the account is signed in, this one first. */
function SignInList({ signIns, done }: { signIns: SignInView[]; done: AccountIntent | null }) {
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

/** The viewer's own account: its address and its sign-ins. */
export function loadAccount({ context, request }: LoaderFunctionArgs): Promise<AccountAnswer> {
  return context.get(apiContext).get("/api/v1/users/me/account", { signal: request.signal });
}

/** Downloads everything that is stored about the user. */
function OwnData() {
  return (
    <Panel title={ownDataTexts.title}>
      <div className="body stack narrow">
        <p className="small ink2">{ownDataTexts.about}</p>
        <a className="btn" href="/api/v1/users/me/export.json" download>
          {ownDataTexts.download}
        </a>
      </div>
    </Panel>
  );
}

type DeleteAccountProps = {
  refusal: AccountRefusal | undefined;
  /** The button for a passkey instead of the password; null without one. */
  passkeys: ReactNode;
};

/** Deletes the account, after a question that says what is lost. */
function DeleteAccount({ refusal, passkeys }: DeleteAccountProps) {
  const isWrong = refusal?.errors["currentPassword"] !== undefined;
  const reason = isWrong ? deletionTexts.wrongPassword : refusal?.refusal;
  return (
    <Panel title={deletionTexts.title}>
      <div className="body stack narrow">
        <p className="small ink2">{deletionTexts.about}</p>
        {reason === undefined ? null : <Note tone="bad">{reason}</Note>}
        <Confirm
          label={deletionTexts.open}
          title={deletionTexts.question}
          act={{ label: deletionTexts.act, intent: "delete" }}
          cancelLabel={deletionTexts.keep}
        >
          <p>{deletionTexts.balance}</p>
          <p>{deletionTexts.forGood}</p>
          <CurrentPassword intent="delete" refusal={undefined} />
          {passkeys}
        </Confirm>
      </div>
    </Panel>
  );
}
