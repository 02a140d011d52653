import type { ReactNode } from "react";
import { CurrentPassword } from "#client/sign-ins/account-form.tsx";
import type { AccountRefusal } from "#client/sign-ins/change-account.ts";
import { deletionTexts, ownDataTexts } from "#client/sign-ins/own-data-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";

/** Downloads everything that is stored about the user. */
export function OwnData() {
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
export function DeleteAccount({ refusal, passkeys }: DeleteAccountProps) {
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
