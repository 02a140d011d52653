import { Confirm } from "../ui/confirm.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { CurrentPassword } from "./account-form.tsx";
import type { AccountRefusal } from "./change-account.ts";

/** The way out for good, which asks first. */
export function CloseAccount({ refusal }: { refusal: AccountRefusal | undefined }) {
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
          keep="Keep it"
        >
          <p>Only an admin can open it again.</p>
          <CurrentPassword intent="close" refusal={undefined} />
        </Confirm>
      </div>
    </Panel>
  );
}

const WRONG_PASSWORD = "That was not your password. Your account stays open.";
