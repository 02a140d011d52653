import { Form } from "react-router";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as texts from "#client/sessions/session-form-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { HOST_NAME_LENGTH_MAX } from "#src/show/session-hosts/contract.ts";
import type { SessionHostView } from "#src/show/session-hosts/schemas.ts";
import type { HostRefused } from "./change-hosts.ts";

type HostsPanelProps = { hosts: readonly SessionHostView[]; refused: HostRefused | undefined };

/** Who runs the session without being an admin. Admins add and remove hosts; hosts see who else is one. */
export function HostsPanel({ hosts, refused }: HostsPanelProps) {
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
