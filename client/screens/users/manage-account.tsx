import { data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import * as words from "#client/base/format/words.ts";
import { usePage, useViewer } from "#client/base/page/context.ts";
import type { ActionArgs } from "#client/base/page/handle.ts";
import { rowIdIn } from "#client/base/page/row-id.ts";
import { BreakChoice, periodIn } from "#client/spending/break-choice.tsx";
import { Checkbox } from "#client/ui/checkbox.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { VERSION_FIELD, ifMatchHeaders, isStale } from "#client/ui/forms/base-version.ts";
import { boundTo } from "#client/ui/forms/bind.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { type FormOf, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { typedDollars } from "#client/ui/money/typed-dollars.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { roles } from "#db/lists/users.ts";
import { REASON_LENGTH_MAX, say } from "#src/http/contract.ts";
import { PAYMENT_MAX } from "#src/money/payments/contract.ts";
import { ADJUSTMENT_MAX } from "#src/money/wallet/contract.ts";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { ProfileView, UserRow } from "#src/profiles/schemas.ts";

const roleHints = {
  admin: "runs the show and manages players",
  operator: "looks after the queues and the books",
} as const;

/** For admins: unlocks a user's account, lengthens a break, takes the name away, unlinks it from the provider, sets its roles, deactivates and reactivates it. */
export function ManageAccount({ user, refusal }: { user: ProfileView; refusal: UserRefusal | undefined }) {
  const mine = useViewer()?.id === user.id;
  return (
    <Panel title={words.account} body="stack">
      <Refusal refused={refusal} />
      {user.lockedAt === null ? null : <Unlock user={user} />}
      {user.breakUntil === null ? null : (
        <LongerBreak user={user} until={user.breakUntil} refusal={refusal} />
      )}
      {mine ? null : <RemoveName user={user} />}
      <Unlink user={user} disabledReason={mine ? "This is your own account." : null} />
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
    </Panel>
  );
}

/** The version that the form is based on: the change is refused where another admin changed the user since. */
function VersionField({ user }: { user: ProfileView }) {
  return <input type="hidden" name={VERSION_FIELD} value={user.version} />;
}

function Unlock({ user }: { user: ProfileView }) {
  return (
    <PostForm className="stack">
      <VersionField user={user} />
      <p className="small ink2">Locked after too many wrong passwords.</p>
      <Submit className="btn" intent="unlock">
        Unlock
      </Submit>
    </PostForm>
  );
}

type LongerBreakProps = { user: ProfileView; until: string; refusal: UserRefusal | undefined };

/** Nobody can end a break early: support lengthens one for a player who asks for it. */
function LongerBreak({ user, until, refusal }: LongerBreakProps) {
  const refused = refusal?.intent === "lengthen_break" ? refusal : undefined;
  return (
    <>
      <p className="small ink2">{fill("On a break until {at}.", { at: <Moment at={until} /> })}</p>
      <Confirm
        label="Make the break longer"
        title={say`Make the break of ${user.username} longer?`}
        act={{ label: "Make it longer", intent: "lengthen_break" }}
        refusal={refused}
      >
        <p>On request: it lasts so long from now on. Nobody can make it shorter again.</p>
        <BreakChoice />
        <Field
          label={words.reason}
          id="break-reason"
          maxLength={REASON_LENGTH_MAX}
          {...boundTo(refused)("reason")}
        />
      </Confirm>
    </>
  );
}

/** A player who has played as a guest asks for it; the admin has checked that it was them. */
function Merge({ user, refusal }: { user: ProfileView; refusal: UserRefusal | undefined }) {
  const refused = refusal?.intent === "merge" ? refusal : undefined;
  const bind = boundTo(refused);
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
      <Field label="Name of the account" maxLength={USERNAME_LENGTH_MAX} {...bind("account")} />
      <Field label={words.reason} name="reason" optional maxLength={REASON_LENGTH_MAX} />
    </Confirm>
  );
}

/** A picture that was chosen for a neutral name is taken away, too. */
function RemoveName({ user }: { user: ProfileView }) {
  const isNeutral = user.username === `guest_${user.id}` && user.avatar.default === null;
  return (
    <PostForm className="stack">
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
    </PostForm>
  );
}

/** For a person who has another account at the provider now, or who has left: then the address belongs to a successor. */
function Unlink({ user, disabledReason }: { user: ProfileView; disabledReason: string | null }) {
  const name = usePage().oidc?.name ?? "the organisation";
  if (!user.linked) return null;
  return (
    <Confirm
      label={say`Unlink from ${name}`}
      disabledReason={disabledReason}
      title={say`Unlink ${user.username} from ${name}?`}
      act={{ label: "Unlink", intent: "unlink", className: "btn bad" }}
    >
      <p>
        {fill(
          "The next person who signs in at {name} with {email} gets this account, with its wallet and its calls.",
          {
            name,
            email: <strong className="wrap-anywhere">{user.email}</strong>,
          },
        )}
      </p>
      <p>
        Be sure that it is the same person. Every sign-in ends at once, and roles that came from there go.
      </p>
      <VersionField user={user} />
      <Field label={words.reason} name="reason" id="unlink-reason" optional maxLength={REASON_LENGTH_MAX} />
    </Confirm>
  );
}

function Roles({ user, disabledReason }: { user: ProfileView; disabledReason: string | null }) {
  return (
    <PostForm className="stack">
      <VersionField user={user} />
      <fieldset className="stack">
        <legend className="small strong">{words.roles}</legend>
        {roles.map((role) => (
          <Checkbox key={role} name="roles" value={role} defaultChecked={user.roles.includes(role)}>
            <span>
              {role} <span className="small muted">{roleHints[role]}</span>
            </span>
          </Checkbox>
        ))}
      </fieldset>
      <Submit className="btn" intent="roles" disabledReason={disabledReason}>
        Save roles
      </Submit>
    </PostForm>
  );
}

function Deactivate({ user, disabledReason }: { user: ProfileView; disabledReason: string | null }) {
  return (
    <Confirm
      label="Deactivate"
      className="btn bad"
      disabledReason={disabledReason}
      title={say`Deactivate ${user.username}?`}
      act={{ label: "Deactivate", intent: "deactivate", className: "btn bad" }}
    >
      <p>Every sign-in ends at once. The wallet and the calls stay, and you can reactivate the account.</p>
      <VersionField user={user} />
      <Field label={words.reason} name="reason" optional maxLength={REASON_LENGTH_MAX} />
    </Confirm>
  );
}

function Reactivate({ user }: { user: ProfileView }) {
  return (
    <PostForm className="stack">
      <VersionField user={user} />
      <p className="small ink2">Deactivated: nobody can sign in.</p>
      <Submit className="btn" intent="reactivate">
        Reactivate
      </Submit>
    </PostForm>
  );
}

/** What the forms show again after a refusal. */
const typedFields = {
  amount: "text",
  reason: "text",
  reference: "text",
  username: "text",
  phone: "text",
  account: "text",
} as const;
export type UserRefusal = Refused & { intent: string } & FormOf<typeof typedFields>;

const RELOADED = 200;

const fields = { ...typedFields, key: "text", roles: "list", callId: "text", period: "text" } as const;
const adjustment = { min: -ADJUSTMENT_MAX, max: ADJUSTMENT_MAX };
/** How much of a payment is left is known to the API. */
const refund = { min: 0.01, max: PAYMENT_MAX };
type Sent = FormOf<typeof fields> & { version: ReturnType<typeof ifMatchHeaders> };
const forms: Record<string, (api: Api, path: `/api/v1/users/${string}`, sent: Sent) => Promise<unknown>> = {
  details: (api, path, { username, phone, version }) =>
    api.patch(path, { user: { username, phone } }, version),
  destroy_call: (api, _path, { callId, reason }) =>
    api.delete(`/api/v1/calls/${encodeURIComponent(callId)}`, { query: { reason } }),
  adjust: async (api, path, { amount, reason, key }) =>
    api.post(
      `${path}/wallet/adjustments`,
      { adjustment: { amount: typedDollars(amount, adjustment, reasonErrors(reason)), reason } },
      { headers: { "idempotency-key": key } },
    ),
  refund: async (api, _path, { reference, amount, reason, key }) =>
    api.post(
      `/api/v1/payments/${encodeURIComponent(reference)}/refunds`,
      { refund: { amount: typedDollars(amount, refund, reasonErrors(reason)), reason } },
      { headers: { "idempotency-key": key } },
    ),
  lengthen_break: (api, path, { period, reason }) =>
    api.put(`${path}/break`, { break: { period: periodIn(period), reason } }),
  unlock: (api, path, { version }) => api.put(`${path}/unlock`, undefined, version),
  deactivate: (api, path, { reason, version }) =>
    api.put(`${path}/deactivate`, { user: { reason } }, version),
  unlink: (api, path, { reason, version }) => api.put(`${path}/unlink`, { user: { reason } }, version),
  remove_name: (api, path, { version }) => api.put(`${path}/remove_name`, undefined, version),
  merge: (api, path, { account, reason, version }) =>
    api.put(`${path}/merge`, { user: { account, reason } }, version),
  reactivate: (api, path, { version }) => api.put(`${path}/reactivate`, undefined, version),
  roles: (api, path, { roles, reason, version }) =>
    api.put(`${path}/roles`, { user: { roles, reason } }, version),
};

/** Does what one of the page's forms asks for, then shows the page again. A refusal is shown in its form. */
export async function actOnUser({ api, params, request, url }: ActionArgs) {
  const form = await request.formData();
  const { intent } = readForm(form, { intent: "text" });
  const send = forms[intent];
  if (send === undefined) throw data(null, { status: 400 });
  const sent = { ...readForm(form, fields), version: ifMatchHeaders(form) };
  try {
    await send(api, `/api/v1/users/${rowIdIn(params["id"])}`, sent);
  } catch (error) {
    const answer = refuseForm<UserRefusal>(error, { ...readForm(form, typedFields), intent });
    if (!isStale(error)) return answer;
    const refusal = "Somebody changed this user meanwhile. This is how it is now.";
    // After an error status the router keeps the data it has loaded, but the page has to show the newer user.
    const status = api.inProcess ? answer.init?.status : RELOADED;
    return data<UserRefusal>({ ...answer.data, refusal, errors: {} }, status === undefined ? {} : { status });
  }
  return seeOther(url.pathname);
}

/** An amount that is refused before anything is sent is refused together with the reason. */
function reasonErrors(reason: string): FieldErrors {
  return reason.trim() === "" ? { reason: ["can't be blank"] } : {};
}

/** "part of an account", "guest", "locked" or "deactivated"; empty for an ordinary account. */
export function accountStatusOf(
  user: Pick<UserRow, "guest" | "lockedAt" | "deactivatedAt" | "mergedInto">,
): string {
  if (user.mergedInto !== null) return "part of an account";
  if (user.deactivatedAt !== null) return "deactivated";
  if (user.lockedAt !== null) return "locked";
  return user.guest ? "guest" : "";
}
