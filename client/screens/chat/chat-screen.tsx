import { Form, useActionData, useLoaderData, useLocation, useRouteLoaderData } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import * as texts from "#client/chat/chat-texts.ts";
import { Composer } from "#client/chat/composer.tsx";
import { MessageList } from "#client/chat/message-list.tsx";
import { useChat } from "#client/chat/use-chat.ts";
import { useVisibleHeight } from "#client/chat/use-visible-height.ts";
import { usePlayersHere } from "#client/events/players-here.ts";
import type { SessionData } from "#client/sessions/load-session.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { slowModes } from "#src/play/chat/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type ChatRefusal, MUTED, type NameRemoved } from "./act-on-chat.ts";
import type { ChatData } from "./load-chat.ts";

/** A session's chat, live. */
export function ChatScreen() {
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  const viewer = useViewer();
  if (session === undefined || viewer === null)
    throw new Error("The chat screen was opened outside a session's route.");
  return <Chat loaded={session} viewer={viewer} />;
}

function Chat({ loaded, viewer }: { loaded: SessionView; viewer: ViewerView }) {
  const data = useLoaderData<ChatData>();
  const answer = useActionData<ChatRefusal | NameRemoved>();
  const refusal = answer !== undefined && "refusal" in answer ? answer : undefined;
  const { session, list, composer } = useChat({
    loaded,
    viewer,
    answer: data,
    live: !data.earlier,
    firstBody: refusal?.body ?? "",
  });
  const { search } = useLocation();
  useVisibleHeight(true);
  const admin = rolesIn(viewer, session.id).includes("admin");
  return (
    <main className="chat" id="main" tabIndex={-1}>
      <Head session={session} admin={admin} />
      {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      {answer !== undefined && "removed" in answer ? <UndoName {...answer.removed} /> : null}
      {answer === undefined && search === MUTED ? <Note tone="ok">{texts.playerMuted}</Note> : null}
      <MessageList {...list} earlier={data.earlier} admin={admin} />
      {data.earlier ? null : <Composer {...composer} formKey={data.formKey} />}
    </main>
  );
}

function UndoName({ userId, username, face, hadPicture }: NameRemoved["removed"]) {
  return (
    <Form className="row wrap" method="post" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="user_id" value={userId} />
      <input type="hidden" name="username" value={username} />
      <input type="hidden" name="face" value={face} />
      <Note tone="ok">{texts.nameRemoved(username, hadPicture)}</Note>
      <Submit className="btn sm" intent="restore_name">
        {texts.undo}
      </Submit>
    </Form>
  );
}

function Head({ session, admin }: { session: SessionView; admin: boolean }) {
  return (
    <header>
      <h1>{texts.chat}</h1>
      <span className="small ink2">{texts.playersHere(usePlayersHere(session.playersOnline))}</span>
      {admin ? <SlowMode session={session} /> : null}
    </header>
  );
}

/** For admins: sets how long players wait between two messages. A session that is over cannot be changed. */
function SlowMode({ session }: { session: SessionView }) {
  const { slowModeSeconds } = session.settings;
  const over = session.state === "stopped";
  return (
    <Form method="post" className="row push slow-mode">
      <CsrfField />
      <label className="small" htmlFor="slow-mode">
        {texts.slowMode}
      </label>
      {/* A change by another admin resets the field. */}
      <select
        className="input sm"
        id="slow-mode"
        name="seconds"
        defaultValue={slowModeSeconds}
        key={slowModeSeconds}
      >
        {[...new Set([...slowModes, slowModeSeconds])].map((seconds) => (
          <option key={seconds} value={seconds}>
            {seconds === 0 ? texts.off : texts.everySeconds(seconds)}
          </option>
        ))}
      </select>
      <Submit className="btn sm" intent="slow_mode" disabledReason={over ? texts.sessionOver : null}>
        {texts.set}
      </Submit>
    </Form>
  );
}
