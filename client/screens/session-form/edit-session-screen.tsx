import { Form, Link, useActionData, useLoaderData } from "react-router";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { BrandPanel } from "#client/sessions/brand-panel.tsx";
import { fieldsOf } from "#client/sessions/session-fields.ts";
import * as texts from "#client/sessions/session-form-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { HOST_NAME_LENGTH_MAX } from "#src/show/session-hosts/contract.ts";
import type { SessionHostView } from "#src/show/session-hosts/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { HostRefused } from "./change-hosts.ts";
import type { EditRefused } from "./change-session.ts";
import type { EditedSession } from "./load-edited-session.ts";
import { SessionForm } from "./session-form.tsx";

/** Edits a session until it is over, and deletes one that has not started. */
export function EditSessionScreen() {
  const { session, hosts } = useLoaderData<EditedSession>();
  const { refused, hostRefused } = refusalsIn(useActionData<EditRefused | HostRefused>());
  const isAdmin = useIsAdmin();
  const over = session.state === "stopped" ? texts.sessionOver : null;
  return (
    <PageLayout title={texts.editTitle(session.name)}>
      <div className="stack" ref={useErrorFocus<HTMLDivElement>(refused)}>
        {refused?.refusal === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <SessionForm
          fields={refused?.fields ?? fieldsOf(session)}
          errors={refused?.errors ?? {}}
          smallRoomFixed={whyFixed(session, isAdmin)}
        >
          <input type="hidden" name={VERSION_FIELD} value={refused?.version ?? session.version} />
          <Submit disabledReason={over} intent="save">
            {texts.save}
          </Submit>
          <Link className="btn" to={`/sessions/${session.slug}/admin`}>
            {texts.cancel}
          </Link>
        </SessionForm>
      </div>
      <Brand session={session} refused={refused} />
      <HostsPanel hosts={hosts} refused={hostRefused} />
      {isAdmin ? <Deletion session={session} /> : null}
    </PageLayout>
  );
}

/** Why the viewer cannot change whether hosts may call in the session. */
function whyFixed({ state }: SessionView, isAdmin: boolean): string | undefined {
  if (state !== "pending") return texts.settingsLocked;
  return isAdmin ? undefined : texts.smallRoomByAdmins;
}

function Brand({ session, refused = {} }: { session: SessionView; refused: EditRefused | undefined }) {
  const { brand: typed, errors = {} } = refused;
  return (
    <div className="beside-form">
      <BrandPanel
        brand={session.settings.brand}
        typed={typed}
        errors={errors}
        version={session.version}
        disabledReason={session.state === "stopped" ? texts.sessionOver : null}
      />
    </div>
  );
}

/** What was refused: the session's own form, or the one of its hosts. */
function refusalsIn(answer: EditRefused | HostRefused | undefined): {
  refused?: EditRefused;
  hostRefused?: HostRefused;
} {
  if (answer === undefined) return {};
  return "user" in answer ? { hostRefused: answer } : { refused: answer };
}

function Deletion({ session }: { session: SessionView }) {
  const disabledReason = session.state === "pending" ? null : texts.cannotDelete;
  return (
    <section className="panel pad stack beside-form">
      <h2 className="small">{texts.deleteWord}</h2>
      <p className="small ink2">{texts.deleteHint}</p>
      <Confirm
        label={texts.deleteTheSession}
        className="btn bad"
        disabledReason={disabledReason}
        title={texts.deleteConfirm(session.name)}
        act={{ label: texts.deleteWord, intent: "delete", className: "btn bad" }}
      >
        <p>{texts.deleteConfirmHint(session.eventsCount)}</p>
      </Confirm>
    </section>
  );
}

type HostsPanelProps = { hosts: readonly SessionHostView[]; refused: HostRefused | undefined };

/** Who runs the session without being an admin. Admins add and remove hosts; hosts see who else is one. */
function HostsPanel({ hosts, refused }: HostsPanelProps) {
  const isAdmin = useIsAdmin();
  return (
    <section className="panel beside-form" aria-labelledby="hosts">
      <header>
        <h2 id="hosts">{texts.hosts}</h2>
      </header>
      <p className="body small ink2">{texts.hostsHint}</p>
      {hosts.length === 0 ? (
        <p className="body small">{texts.noHosts}</p>
      ) : (
        <ul className="list">
          {hosts.map((host) => (
            <HostRow key={host.userId} host={host} removable={isAdmin} />
          ))}
        </ul>
      )}
      {isAdmin ? <AddHost key={hosts.length} refused={refused} /> : null}
    </section>
  );
}

function HostRow({ host, removable }: { host: SessionHostView; removable: boolean }) {
  const { userId, username, email, madeBy, createdAt } = host;
  const zone = useTimeZone();
  return (
    <li>
      <span className="grow">
        <b className="wrap-anywhere" translate="no">
          {username}
        </b>
        {email === null ? null : <span className="small ink2 wrap-anywhere">{email}</span>}
        <span className="tiny muted">{texts.hostMadeBy(madeBy, formatDate(createdAt, zone))}</span>
      </span>
      {removable ? (
        <Confirm
          label={
            <>
              {texts.removeHost}
              <span className="vh">: {username}</span>
            </>
          }
          className="btn sm"
          title={texts.removeHostOf(username)}
          act={{ label: texts.removeHost, intent: "remove_host", className: "btn bad" }}
        >
          <input type="hidden" name="user_id" value={userId} />
          <p>{texts.removeHostHint(username)}</p>
        </Confirm>
      ) : null}
    </li>
  );
}

function AddHost({ refused }: { refused: HostRefused | undefined }) {
  return (
    <Form
      className="body stack"
      method="post"
      preventScrollReset
      ref={useErrorFocus<HTMLFormElement>(refused)}
    >
      <CsrfField />
      {refused === undefined || refused.errors["user"] !== undefined ? null : (
        <Note tone="bad">{refused.refusal}</Note>
      )}
      <Field
        label={texts.hostUser}
        name="user"
        maxLength={HOST_NAME_LENGTH_MAX}
        autoComplete="off"
        value={refused?.user ?? ""}
        errors={refused?.errors["user"]}
      />
      <div>
        <Submit className="btn" intent="add_host">
          {texts.addHost}
        </Submit>
      </div>
    </Form>
  );
}
