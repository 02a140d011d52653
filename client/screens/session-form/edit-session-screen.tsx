import { Link, useActionData, useLoaderData } from "react-router";
import { BrandPanel } from "#client/sessions/brand-panel.tsx";
import { fieldsOf } from "#client/sessions/session-fields.ts";
import * as texts from "#client/sessions/session-form-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { HostRefused } from "./change-hosts.ts";
import type { EditRefused } from "./change-session.ts";
import { HostsPanel } from "./hosts-panel.tsx";
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
