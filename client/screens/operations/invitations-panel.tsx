import { useActionData } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { Named, PostForm } from "#client/ui/forms/post-form.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { List } from "#client/ui/list.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { SecretPanel } from "#client/ui/secret-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from "#db/lists/switches.ts";
import { say } from "#src/http/contract.ts";
import type {
  InvitationsAnswer,
  InvitationView,
  NewInvitationAnswer,
} from "#src/people/invitations/schemas.ts";

const stateTexts = {
  used_up: "Used up",
  expired: "Too old",
  revoked: "Taken back",
} as const satisfies Record<Exclude<InvitationView["state"], "open">, string>;

/** Where accounts need an invitation: the links that admins have made, and the form that makes one. */
export function InvitationsPanel({ loaded: { invitations } }: { loaded: InvitationsAnswer }) {
  const answer = useActionData<Refused | NewInvitationAnswer>();
  const made = answer !== undefined && "url" in answer ? answer : null;
  const refused = answer !== undefined && "refusal" in answer ? answer : undefined;
  return (
    <div className="stack" id="invitations">
      {made === null ? null : (
        <SecretPanel
          title="Your new invitation"
          about="Send this link to the people you invite. It is not shown again."
          secret={made.url}
          label="Link of the invitation"
        />
      )}
      <Panel title="Invitations" aside={invitations.length}>
        <MakeInvitation key={made?.invitation.id} refused={refused} />
        <List items={invitations} row={(each) => <Invitation key={each.id} invitation={each} />} />
      </Panel>
    </div>
  );
}

function MakeInvitation({ refused }: { refused: Refused | undefined }) {
  const bind = boundTo(refused, { usesMax: 1, validDays: 7 });
  return (
    <PostForm className="body row wrap" action="/admin#invitations" preventScrollReset refused={refused}>
      <Field label="Accounts" type="number" min={1} max={INVITATION_USES_MAX} {...bind("usesMax")} />
      <Field label="Days valid" type="number" min={1} max={INVITATION_DAYS_MAX} {...bind("validDays")} />
      <Submit intent="invite">Make an invitation</Submit>
    </PostForm>
  );
}

function Invitation({ invitation }: { invitation: InvitationView }) {
  const { id, state, uses, usesMax, expiresAt, createdAt, madeBy, usedBy } = invitation;
  const zone = useTimeZone();
  const name = say`made by ${madeBy}, ${formatDate(createdAt, zone)}`;
  return (
    <li className="operation">
      <div className="grow">
        <b>{`${uses} of ${countOf(usesMax, "account")}`}</b>
        <p className="small ink2">{`${name}, valid until ${formatDate(expiresAt, zone)}`}</p>
        {usedBy.length === 0 ? null : (
          <p className="small wrap-anywhere">
            {`Used by ${usedBy.map(({ username }) => username).join(", ")}${uses > usedBy.length ? " ..." : ""}`}
          </p>
        )}
      </div>
      <span className="row">
        {state === "open" ? (
          <Confirm
            label={<Named label="Take back" name={name} />}
            className="btn sm bad"
            title="Take this invitation back?"
            act={{ label: "Take back", intent: "revoke_invitation" }}
          >
            <p>Its link makes no more accounts. Accounts that it made stay.</p>
            <input type="hidden" name="id" value={id} />
          </Confirm>
        ) : (
          <Pill icon="cross" tone="outline" text={stateTexts[state]} />
        )}
      </span>
    </li>
  );
}
