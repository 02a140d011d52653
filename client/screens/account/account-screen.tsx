import type { ReactNode } from "react";
import { Link, useActionData, useLoaderData, useSearchParams } from "react-router";
import { formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { usePage } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { usePasskeyParts } from "#client/passkeys/use-passkey-parts.ts";
import { AccountForm, CurrentPassword, useProofReason } from "#client/sign-ins/account-form.tsx";
import type { AccountIntent, AccountRefusal } from "#client/sign-ins/change-account.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import { NewPasswordFields } from "#client/sign-ins/new-password-fields.tsx";
import { ProviderNote } from "#client/sign-ins/provider-note.tsx";
import { SPENDING_PATH } from "#client/spending/break-row.tsx";
import { fetchSpending } from "#client/spending/spending-summary.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { fill } from "#client/ui/fill.tsx";
import { PostButton } from "#client/ui/forms/post-form.tsx";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { SignInView } from "#src/people/sign-ins/schemas.ts";
import type { AccountAnswer } from "#src/people/users/schemas.ts";

const closeMyAccount = "Close my account";

/** The account's address and password, its sign-ins and its data, and how to close or delete it. */
export function AccountScreen() {
  const { account, signIns, unusedCents } = useLoaderData<AccountData>();
  const parts = usePasskeyParts();
  const isAtProvider = usePage().oidc?.only === true;
  const [search] = useSearchParams();
  return (
    <PageLayout title={words.account}>
      <ProviderNote code={search.get("oidc")} returnTo={null} />
      <div className="split">
        <div className="stack wide">
          <EmailPanel {...account} />
          {isAtProvider ? null : <PasswordPanel />}
          {parts === null || isAtProvider ? null : <parts.PasskeysPanel />}
        </div>
        <div className="stack wide">
          <SignInList signIns={signIns} done={useDone("end_sign_in", "end_other_sign_ins")} />
          <OwnData />
          <CloseAccount refusal={useRefusal("close")} />
          <DeleteAccount
            unusedCents={unusedCents}
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
    <Panel title={words.email}>
      <AccountForm intent="email" label="Change email" refusal={refusal} done={done ? MAILED : null}>
        <p>
          {fill("You sign in as {email}.", { email: <strong className="wrap-anywhere">{email}</strong> })}
        </p>
        {confirmed ? null : (
          <Note tone="warn">
            {fill("This address is not confirmed yet. Open the link in our mail, or {again}.", {
              again: <Link to="/users/confirmation">have it sent again</Link>,
            })}
          </Note>
        )}
        {pendingEmail === null || done ? null : (
          <Note>
            {fill("A change to {email} waits for the link in the mail that went there.", {
              email: <strong className="wrap-anywhere">{pendingEmail}</strong>,
            })}
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
    <Panel title={words.password}>
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

function CloseAccount({ refusal }: { refusal: AccountRefusal | undefined }) {
  const wrong = refusal?.errors["currentPassword"] === undefined ? refusal?.refusal : WRONG_PASSWORD;
  return (
    <Panel title="Close the account" body="stack narrow">
      <p className="small ink2">
        You are signed out everywhere and cannot sign in any more. Your calls and results stay.
      </p>
      {wrong === undefined ? null : <Note tone="bad">{wrong}</Note>}
      <Confirm
        label={closeMyAccount}
        title="Close your account?"
        act={{ label: closeMyAccount, intent: "close", disabledReason: useProofReason() }}
        cancelLabel={words.keepIt}
      >
        <p>Only an admin can open it again.</p>
        <CurrentPassword intent="close" refusal={undefined} />
      </Confirm>
    </Panel>
  );
}

const WRONG_PASSWORD = "That was not your password. Your account stays open.";

function SignInList({ signIns, done }: { signIns: SignInView[]; done: AccountIntent | null }) {
  const others = signIns.length > 1;
  return (
    <Panel title="Where you are signed in" aside={signIns.length}>
      {done === null ? null : (
        <div className="body">
          <Note tone="ok">
            {done === "end_sign_in" ? "Signed out there." : "Signed out everywhere else."}
          </Note>
        </div>
      )}
      <List items={signIns} row={(signIn) => <SignInRow key={signIn.id} {...signIn} />} />
      {others ? (
        <PostButton
          className="btn"
          intent="end_other_sign_ins"
          form={{ className: "body", action: "/profile/account" }}
        >
          Sign out everywhere else
        </PostButton>
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
          {fill(current ? "{address}, now" : "{address}, {at}", {
            address: address ?? "Unknown address",
            at: <Moment at={lastSeenAt} />,
          })}
        </span>
      </span>
      {current ? (
        <span className="pill outline">This browser</span>
      ) : (
        <PostButton intent="end_sign_in" fields={{ sign_in_id: id }} form={{ action: "/profile/account" }}>
          Sign out
        </PostButton>
      )}
    </li>
  );
}

/** The viewer's own account: its address and its sign-ins. */
/** `unusedCents`: what was paid in, was not used and may go back. */
type AccountData = AccountAnswer & { unusedCents: number };

export async function loadAccount({ api }: LoaderArgs): Promise<AccountData> {
  const [account, spending] = await Promise.all([api.get("/api/v1/users/me/account"), fetchSpending(api)]);
  const unused = spending?.unused ?? [];
  return { ...account, unusedCents: unused.reduce((sum, { amountCents }) => sum + amountCents, 0) };
}

function OwnData() {
  return (
    <Panel title="Your data" body="stack narrow">
      <p className="small ink2">
        Everything that is stored about you, as one JSON file: profile, calls, money, messages, devices and
        more.
      </p>
      <a className="btn" href="/api/v1/users/me/export.json" download>
        Download my data
      </a>
    </Panel>
  );
}

type DeleteAccountProps = {
  unusedCents: number;
  refusal: AccountRefusal | undefined;
  /** The button for a passkey instead of the password; null without one. */
  passkeys: ReactNode;
};

function DeleteAccount({ unusedCents, refusal, passkeys }: DeleteAccountProps) {
  const isWrong = refusal?.errors["currentPassword"] !== undefined;
  const reason = isWrong ? "That was not your password. Your account stays." : refusal?.refusal;
  return (
    <Panel title="Delete the account" body="stack narrow">
      <p className="small ink2">
        Your name, address, phone number, picture, messages, links and devices are deleted for good. Calls and
        results stay without your name.
      </p>
      {reason === undefined ? null : <Note tone="bad">{reason}</Note>}
      <Confirm
        label="Delete my account"
        title="Delete your account for good?"
        act={{ label: "Delete for good", intent: "delete", disabledReason: useProofReason() }}
        cancelLabel={words.keepIt}
      >
        <p>What is in your wallet is lost: the books keep it, and nobody can use it.</p>
        {unusedCents === 0 ? null : (
          <p>
            {fill("You can have {amount} of it back first: {link}.", {
              amount: <b className="num">{formatMoney(unusedCents)}</b>,
              link: <Link to={SPENDING_PATH}>Not used</Link>,
            })}
          </p>
        )}
        <p>Nobody can undo this, not even an admin. Download your data first if you want to keep it.</p>
        <CurrentPassword intent="delete" refusal={undefined} />
        {passkeys}
      </Confirm>
    </Panel>
  );
}
