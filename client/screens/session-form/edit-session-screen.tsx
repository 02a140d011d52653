import type { ReactNode } from "react";
import { data, useActionData, useLoaderData } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { type BrandFields, brandFieldsIn, brandIn } from "#client/sessions/brand-fields.ts";
import { BrandPanel } from "#client/sessions/brand-panel.tsx";
import { type SessionData, sessionPath } from "#client/sessions/load-session.ts";
import {
  emptyFields,
  fieldsIn,
  fieldsOf,
  type SessionFields,
  sessionIn,
  textsOf,
  startsAtIn,
} from "#client/sessions/session-fields.ts";
import { SettingFields, TeamNamesField } from "#client/sessions/setting-fields.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { ifMatchHeaders, isStale, staleRefusal, VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { boundTo } from "#client/ui/forms/bind.ts";
import { Named, PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refusedInForm, refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { List } from "#client/ui/list.tsx";
import { MomentField } from "#client/ui/moment-field.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, ButtonLink } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { SESSION_SLUG_LENGTH_MAX } from "#db/lists/session-address.ts";
import { say } from "#src/http/contract.ts";
import { HOST_NAME_LENGTH_MAX } from "#src/show/session-hosts/contract.ts";
import type { SessionHostView } from "#src/show/session-hosts/schemas.ts";
import {
  SESSION_DESCRIPTION_LENGTH_MAX,
  SESSION_NAME_LENGTH_MAX,
  SETTING_SECONDS_MAX,
} from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { SessionRefused } from "./create-session.ts";

const STAYS = "This session is over. It stays as it was played.";

/** Edits a session until it is over, and deletes one that has not started. */
export function EditSessionScreen() {
  const { session, hosts } = useLoaderData<EditedSession>();
  const { refused, hostRefused } = refusalsIn(useActionData<EditRefused | HostRefused>());
  const isAdmin = useIsAdmin();
  const over = session.state === "stopped" ? STAYS : null;
  return (
    <PageLayout title={say`Edit ${session.name}`}>
      <div className="stack" ref={useErrorFocus<HTMLDivElement>(refused)}>
        {refused?.refusal === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <SessionForm
          fields={refused?.fields ?? fieldsOf(session)}
          errors={refused?.errors ?? {}}
          smallRoomFixed={whyFixed(session, isAdmin)}
        >
          <input type="hidden" name={VERSION_FIELD} value={refused?.version ?? session.version} />
          <Submit disabledReason={over} intent="save">
            {words.save}
          </Submit>
          <ButtonLink to={`/sessions/${session.slug}/admin`}>{words.cancel}</ButtonLink>
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
  if (state !== "pending") return "The session has started: this stays as it was decided.";
  return isAdmin ? undefined : "Only an admin changes this.";
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
        disabledReason={session.state === "stopped" ? STAYS : null}
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
  const disabledReason =
    session.state === "pending" ? null : "Only a session that has not started can be deleted.";
  return (
    <section className="panel pad stack beside-form">
      <h2 className="small">{words.deleteIt}</h2>
      <p className="small ink2">
        A session that has not started goes with its actions, as if it had never been planned.
      </p>
      <Confirm
        label="Delete the session"
        className="btn bad"
        disabledReason={disabledReason}
        title={say`Delete ${session.name}?`}
        act={{ label: words.deleteIt, intent: "delete", className: "btn bad" }}
      >
        <p>{`It goes with ${countOf(session.eventsCount, "action")}, and its address with it. There is no way back.`}</p>
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
        <h2 id="hosts">Hosts</h2>
      </header>
      <p className="body small ink2">
        A host runs this session like an admin: control room, chat, big screen, replay. Nothing else: no
        blueprints, users or wallets, and no other session.
      </p>
      {hosts.length === 0 ? (
        <p className="body small">Only admins run it so far.</p>
      ) : (
        <List items={hosts} row={(host) => <HostRow key={host.userId} host={host} removable={isAdmin} />} />
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
        <span className="tiny muted">{`Added by ${madeBy} on ${formatDate(createdAt, zone)}`}</span>
      </span>
      {removable ? (
        <Confirm
          label={<Named label={words.remove} name={username} />}
          className="btn sm"
          title={say`Remove ${username} as a host?`}
          act={{ label: words.remove, intent: "remove_host", className: "btn bad" }}
        >
          <input type="hidden" name="user_id" value={userId} />
          <p>{say`${username} is an ordinary player of this session then, at once. Calls and results stay.`}</p>
        </Confirm>
      ) : null}
    </li>
  );
}

function AddHost({ refused }: { refused: HostRefused | undefined }) {
  const bind = boundTo(refused);
  return (
    <PostForm className="body stack" preventScrollReset refused={refused}>
      <Refusal refused={refused} unless={["user"]} />
      <Field label="Name or email" maxLength={HOST_NAME_LENGTH_MAX} autoComplete="off" {...bind("user")} />
      <div>
        <Submit className="btn" intent="add_host">
          Add host
        </Submit>
      </div>
    </PostForm>
  );
}

/** Why the form of a session was refused, what was typed, and the version that the form is based on. */
type EditRefused = Partial<SessionRefused & { version: string; brand: BrandFields }>;

/** Saves the session or its brand, deletes it, or changes its hosts, by the form's `intent`. */
export async function changeSession({ api, params, request }: ActionArgs) {
  const form = await request.formData();
  const path = sessionPath(params["slug"]);
  const { intent, version } = readForm(form, { intent: "text", version: "text" });
  if (intent === "add_host" || intent === "remove_host") return changeHosts(api, params["slug"] ?? "", form);
  const deleting = intent === "delete";
  const isBrand = intent === "brand";
  try {
    if (deleting) {
      await api.delete(path);
      return seeOther("/sessions");
    }
    const changes = isBrand ? { settings: { brand: brandIn(form) } } : sessionIn(form);
    const { session } = await api.patch(path, { session: changes }, ifMatchHeaders(form));
    return seeOther(`/sessions/${session.slug}/admin`);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    if (isBrand) return data<EditRefused>({ ...refused, brand: brandFieldsIn(form) }, { status });
    // The form that deletes has none of the fields.
    const fields = deleting ? {} : { fields: fieldsIn(form), version };
    const newer = isStale(error) ? await readNewer(api, path, form) : {};
    return data<EditRefused>({ ...refused, ...fields, ...newer }, { status });
  }
}

/** Reads the version that another user has saved; the form is based on it from now on. */
async function readNewer(
  api: Api,
  path: ReturnType<typeof sessionPath>,
  form: FormData,
): Promise<EditRefused> {
  const { session } = await api.get(path);
  const { timeZone: zone } = readForm(form, { timeZone: "text" });
  const stale = staleRefusal(textsOf(fieldsIn(form), zone), textsOf(fieldsOf(session), zone));
  return { ...stale, version: String(session.version) };
}

type EditedSession = SessionData & { hosts: readonly SessionHostView[] };

export async function loadEditedSession({ api, params }: LoaderArgs): Promise<EditedSession> {
  const path = sessionPath(params["slug"]);
  const [{ session }, { sessionHosts }] = await Promise.all([
    api.get(path),
    api.get(`${path}/session_hosts`),
  ]);
  return { session, hosts: sessionHosts };
}

/** Creates a session without a blueprint; its events are added by hand. */
export function NewSessionScreen() {
  const refused = useActionData<SessionRefused>();
  return (
    <PageLayout title={words.newSession}>
      <div className="stack" ref={useErrorFocus<HTMLDivElement>(refused)}>
        <Refusal refused={refused} />
        <SessionForm fields={refused?.fields ?? emptyFields} errors={refused?.errors ?? {}} withSlug>
          <Submit>Create the session</Submit>
          <ButtonLink to="/sessions">{words.cancel}</ButtonLink>
        </SessionForm>
      </div>
    </PageLayout>
  );
}

/** Why a host was not added or removed, and the name or email that was typed. */
type HostRefused = Refused & { user: string };

/** Adds or removes a host of a session, by the form's `intent`, and shows the page again. */
async function changeHosts(api: Api, slugOrId: string, form: FormData) {
  const { intent, user, userId } = readForm(form, { intent: "text", user: "text", userId: "number" });
  const path = `${sessionPath(slugOrId)}/session_hosts` as const;
  try {
    await (intent === "add_host"
      ? api.post(path, { sessionHost: { user } })
      : api.delete(`${path}/${userId ?? 0}`));
    return seeOther(`/sessions/${encodeURIComponent(slugOrId)}/edit`);
  } catch (error) {
    return refuseForm<HostRefused>(error, { user });
  }
}

type SessionFormProps = {
  fields: SessionFields;
  errors: FieldErrors;
  /** The slug can be set only on creation, because links depend on it. */
  withSlug?: true;
  smallRoomFixed?: string | undefined;
  children: ReactNode;
};

function SessionForm({ fields, errors, withSlug, smallRoomFixed, children }: SessionFormProps) {
  const zone = useTimeZone();
  const bind = boundTo({ ...fields, startsAt: startsAtIn(fields, zone), errors });
  return (
    <PostForm className="panel pad form" fields={{ time_zone: zone }}>
      <Field label={words.name} maxLength={SESSION_NAME_LENGTH_MAX} {...bind("name")} />
      <Field
        label={words.description}
        type="textarea"
        rows={3}
        optional
        maxLength={SESSION_DESCRIPTION_LENGTH_MAX}
        {...bind("description")}
      />
      <MomentField
        // The browser's time zone may differ from the server's guess; the key then resets the field.
        key={zone}
        label="Starts at"
        zone={zone}
        optional
        hint={`For the list of sessions, in ${zone}. It starts when you press Start.`}
        {...bind("startsAt")}
      />
      {withSlug === true ? (
        <Field
          label="Slug"
          optional
          maxLength={SESSION_SLUG_LENGTH_MAX}
          placeholder="friday-derby"
          hint="The end of its address: small letters, digits and dashes. Made from the name where it is empty. It stays."
          {...bind("slug")}
        />
      ) : null}
      <TeamNamesField value={fields.teams} errors={errors} />
      <SettingFields
        fields={fields}
        secondsMax={SETTING_SECONDS_MAX}
        errors={errors}
        smallRoomFixed={smallRoomFixed}
      />
      <div className="row wrap">{children}</div>
    </PostForm>
  );
}
