import { Link, useActionData, useLoaderData, useSearchParams } from "react-router";
import { usePasskeyParts } from "#client/passkeys/use-passkey-parts.ts";
import { AccountForm, CurrentPassword } from "#client/sign-ins/account-form.tsx";
import type { AccountIntent, AccountRefusal } from "#client/sign-ins/change-account.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import { NewPasswordFields } from "#client/sign-ins/new-password-fields.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import type { AccountAnswer } from "#src/people/users/schemas.ts";
import * as texts from "./account-texts.ts";
import { DeleteAccount, OwnData } from "./own-data.tsx";
import { SignInList } from "./sign-in-list.tsx";

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
