import { Link, redirect, useActionData, useLoaderData, useRevalidator } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { useInstall } from "#client/install/start-install.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { fill } from "#client/ui/fill.tsx";
import { formAction } from "#client/ui/forms/form-action.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { say } from "#src/http/contract.ts";
import type { ReminderView } from "#src/show/reminders/schemas.ts";

/** The texts of the page that reminds of a planned session. */

const title = (name: string) => say`Remind me of ${name}`;

/** Reminds of a planned session: everybody by a calendar file, and who can be reached by a message or a mail. */
export function RemindScreen() {
  const { reminder } = useLoaderData<ReminderData>();
  const refused = useActionData<Refused>();
  const { name, slug, startsAt } = reminder;
  return (
    <PageLayout title={title(name)}>
      <Refusal refused={refused} />
      <section className="panel pad slim stack" aria-label={title(name)}>
        <p>{fill("It starts {at}.", { at: <Moment at={startsAt} /> })}</p>
        <a className="btn wide" href={`/api/v1/sessions/${slug}/calendar.ics`} download>
          Add to my calendar
        </a>
        <p className="small ink2">A file for any calendar, with an alarm 10 minutes before.</p>
        <ByMessage reminder={reminder} />
        {useViewer() === null ? null : <OnThisDevice />}
      </section>
    </PageLayout>
  );
}

function ByMessage({ reminder: { slug, isSet, way } }: { reminder: ReminderView }) {
  const viewer = useViewer();
  if (viewer === null) {
    const back = new URLSearchParams({ return_to: `/sessions/${slug}/remind` });
    return (
      <p className="small ink2">
        Sign in to be reminded by a message or by mail.{" "}
        <Link to={`/users/sign_in?${back.toString()}`}>{words.signIn}</Link>
      </p>
    );
  }
  if (way === null && !isSet)
    return (
      <p className="small ink2">
        For a message, switch messages on where your device can show them. For a mail, confirm an email
        address.
      </p>
    );
  return <PostForm className="stack">{isSet ? <Set way={way} /> : <Ask way={way} />}</PostForm>;
}

/** Switches messages on, where this browser can show them. Then the reminder comes as one. */
function OnThisDevice() {
  const install = useInstall({ opened: true });
  const { revalidate } = useRevalidator();
  return install === null ? null : <install.PushPanel onChange={() => void revalidate()} />;
}

type Way = Pick<ReminderView, "way">;

function Ask({ way }: Way) {
  return (
    <>
      <Submit className="btn primary wide" intent="set">
        {way === "push" ? "Remind me by a message" : "Remind me by mail"}
      </Submit>
      <p className="small ink2">10 minutes before it starts, and at once if it starts early.</p>
    </>
  );
}

function Set({ way }: Way) {
  return (
    <>
      <Note tone="ok">
        {way === "push"
          ? "You get a message 10 minutes before it starts."
          : "You get a mail 10 minutes before it starts."}
      </Note>
      <Submit className="btn wide" intent="remove">
        Do not remind me
      </Submit>
    </>
  );
}

/** Sets the viewer's reminder or takes it back, and shows the page again. */
export const changeReminder = formAction({ intent: "text" }, async ({ intent }, { api, params, url }) => {
  const path = `${sessionPath(params["slug"])}/reminder` as const;
  await (intent === "remove" ? api.delete(path) : api.put(path));
  return url.pathname;
});

type ReminderData = { reminder: ReminderView };

/** When the session starts, and how the viewer is reminded of it. A session that has started is opened instead. */
export async function loadReminder({ api, params }: LoaderArgs): Promise<ReminderData> {
  const path = sessionPath(params["slug"]);
  try {
    return await api.get(`${path}/reminder`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw redirect(path.replace("/api/v1", ""));
    throw error;
  }
}
