import { Form } from "react-router";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { roles } from "#db/lists/users.ts";
import { REASON_LENGTH_MAX, say } from "#src/http/contract.ts";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";
import type { UserRefusal } from "./act-on-user.ts";

const roleHints = {
  admin: "runs the show and manages players",
  operator: "looks after the queues and the books",
} as const;

/** For admins: unlocks a user's account, takes its name away, sets its roles, deactivates and reactivates it. */
export function ManageAccount({ user, refusal }: { user: ProfileView; refusal: UserRefusal | undefined }) {
  const mine = useViewer()?.id === user.id;
  return (
    <Panel title={words.account}>
      <div className="stack body">
        {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
        {user.lockedAt === null ? null : <Unlock user={user} />}
        {mine ? null : <RemoveName user={user} />}
        {user.guest && user.deactivatedAt === null ? <Merge user={user} refusal={refusal} /> : null}
        {user.guest ? null : (
          <Roles
            user={user}
            disabledReason={mine ? "You cannot change your own roles. Ask another admin." : null}
            // After saving, the form starts with the saved roles.
            key={user.roles.join()}
          />
        )}
        {user.deactivatedAt === null ? (
          <Deactivate user={user} disabledReason={mine ? "This is your own account." : null} />
        ) : (
          <Reactivate user={user} />
        )}
      </div>
    </Panel>
  );
}

/** The version that the form is based on: the change is refused where another admin changed the user since. */
function VersionField({ user }: { user: ProfileView }) {
  return <input type="hidden" name={VERSION_FIELD} value={user.version} />;
}

function Unlock({ user }: { user: ProfileView }) {
  return (
    <Form className="stack" method="post">
      <CsrfField />
      <VersionField user={user} />
      <p className="small ink2">Locked after too many wrong passwords.</p>
      <Submit className="btn" intent="unlock">
        Unlock
      </Submit>
    </Form>
  );
}

type MergeProps = { user: ProfileView; refusal: UserRefusal | undefined };

/** A player who has played as a guest asks for it; the admin has checked that it was them. */
function Merge({ user, refusal }: MergeProps) {
  const refused = refusal?.intent === "merge" ? refusal : undefined;
  return (
    <Confirm
      label="Make it a part of an account"
      title={say`Make ${user.username} a part of an account?`}
      act={{ label: "Make it a part", intent: "merge", className: "btn primary" }}
      refusal={refused}
    >
      <p>
        On request: what this guest has played, and has won beyond the play money, becomes a player's. It
        cannot be undone.
      </p>
      <VersionField user={user} />
      <Field
        label="Name of the account"
        name="account"
        maxLength={USERNAME_LENGTH_MAX}
        value={refused?.account ?? ""}
        errors={refused?.errors["account"]}
      />
      <Field label={words.reason} name="reason" optional maxLength={REASON_LENGTH_MAX} />
    </Confirm>
  );
}

/** A picture that was chosen for a neutral name is taken away, too. */
function RemoveName({ user }: { user: ProfileView }) {
  const isNeutral = user.username === `guest_${user.id}` && user.avatar.default === null;
  return (
    <Form className="stack" method="post">
      <CsrfField />
      <VersionField user={user} />
      <p className="small ink2">
        The player is guest_N until choosing another name and picture, and is told. The name cannot be chosen
        again.
      </p>
      <Submit
        className="btn"
        intent="remove_name"
        disabledReason={isNeutral ? "The player has a neutral name and no picture." : null}
      >
        Take name and picture away
      </Submit>
    </Form>
  );
}

function Roles({ user, disabledReason }: { user: ProfileView; disabledReason: string | null }) {
  return (
    <Form className="stack" method="post">
      <CsrfField />
      <VersionField user={user} />
      <fieldset className="stack">
        <legend className="small strong">{words.roles}</legend>
        {roles.map((role) => (
          <label className="check" key={role}>
            <input type="checkbox" name="roles" value={role} defaultChecked={user.roles.includes(role)} />
            <span>
              {role} <span className="small muted">{roleHints[role]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Submit className="btn" intent="roles" disabledReason={disabledReason}>
        Save roles
      </Submit>
    </Form>
  );
}

function Deactivate({ user, disabledReason }: { user: ProfileView; disabledReason: string | null }) {
  return (
    <Confirm
      label={words.deactivate}
      className="btn bad"
      disabledReason={disabledReason}
      title={say`Deactivate ${user.username}?`}
      act={{ label: words.deactivate, intent: "deactivate", className: "btn bad" }}
    >
      <p>Every sign-in ends at once. The wallet and the calls stay, and you can reactivate the account.</p>
      <VersionField user={user} />
      <Field label={words.reason} name="reason" optional maxLength={REASON_LENGTH_MAX} />
    </Confirm>
  );
}

function Reactivate({ user }: { user: ProfileView }) {
  return (
    <Form className="stack" method="post">
      <CsrfField />
      <VersionField user={user} />
      <p className="small ink2">Deactivated: nobody can sign in.</p>
      <Submit className="btn" intent="reactivate">
        Reactivate
      </Submit>
    </Form>
  );
}
