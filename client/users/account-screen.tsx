import { Link, useActionData, useLoaderData, useSearchParams } from "react-router";
import type { AccountAnswer } from "#src/users/schemas.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import { AccountForm, CurrentPassword } from "./account-form.tsx";
import type { AccountIntent, AccountRefusal } from "./change-account.ts";
import { EmailField } from "./email-field.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { SignInList } from "./sign-in-list.tsx";

/** The account's address and password, its sign-ins, and how to close it. */
export function AccountScreen() {
  const { account, signIns } = useLoaderData<AccountAnswer>();
  return (
    <PageLayout title="Account">
      <div className="split">
        <div className="stack wide">
          <EmailPanel {...account} />
          <PasswordPanel />
        </div>
        <div className="stack wide">
          <SignInList signIns={signIns} done={useDone("end_sign_in", "end_other_sign_ins")} />
          <CloseAccount refusal={useRefusal("close")} />
        </div>
      </div>
    </PageLayout>
  );
}

function EmailPanel({ email, confirmed, pendingEmail }: AccountAnswer["account"]) {
  const refusal = useRefusal("email");
  const done = useDone("email") !== null;
  return (
    <Panel title="Email">
      <AccountForm intent="email" label="Change email" refusal={refusal} done={done ? MAILED : null}>
        <p>
          You sign in as <strong className="wrap-anywhere">{email}</strong>.
        </p>
        {confirmed ? null : (
          <Note tone="warn">
            This address is not confirmed yet. Open the link in our mail, or{" "}
            <Link to="/users/confirmation">have it sent again</Link>.
          </Note>
        )}
        {pendingEmail === null || done ? null : (
          <Note>
            A change to <strong className="wrap-anywhere">{pendingEmail}</strong> waits for the link in the
            mail that went there.
          </Note>
        )}
        <EmailField label="New email" autoComplete="email" refusal={refusal} />
      </AccountForm>
    </Panel>
  );
}

const MAILED = "Open the link in the mail that we sent to the new address. Until then the old one stays.";

function PasswordPanel() {
  const refusal = useRefusal("password");
  const done = useDone("password");
  return (
    <Panel title="Password">
      <AccountForm
        intent="password"
        label="Change password"
        refusal={refusal}
        done={done === null ? null : "Changed. Everybody else who was signed in is signed out."}
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
    <Panel title="Close the account">
      <div className="body stack narrow">
        <p className="small ink2">
          You are signed out everywhere and cannot sign in any more. Your calls and results stay.
        </p>
        {wrong === undefined ? null : <Note tone="bad">{wrong}</Note>}
        <Confirm
          label="Close my account"
          title="Close your account?"
          act={{ label: "Close my account", intent: "close" }}
          cancelLabel="Keep it"
        >
          <p>Only an admin can open it again.</p>
          <CurrentPassword intent="close" refusal={undefined} />
        </Confirm>
      </div>
    </Panel>
  );
}

const WRONG_PASSWORD = "That was not your password. Your account stays open.";
