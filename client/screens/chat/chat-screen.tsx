import { useEffect } from "react";
import { useActionData, useLoaderData, useLocation, useNavigate, useRouteLoaderData } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { randomId } from "#client/base/browser/random-id.ts";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { Composer } from "#client/chat/composer.tsx";
import { MessageList } from "#client/chat/message-list.tsx";
import { useChat } from "#client/chat/use-chat.ts";
import { useVisibleHeight } from "#client/chat/use-visible-height.ts";
import { usePlayersHere } from "#client/events/players-here.ts";
import { type SessionData, sessionPath } from "#client/sessions/load-session.ts";
import { giveNameBack, takeName, type TakenName } from "#client/sign-ins/take-name.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import type { FormOf } from "#client/ui/forms/read-form.ts";
import { rolesIn } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import { say } from "#src/http/contract.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { slowModes } from "#src/play/chat/contract.ts";
import type { MessagesAnswer } from "#src/play/chat/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** The query after a player was muted: the page does not show a mute by itself. */
const MUTED = "?done=mute";

const fields = {
  intent: "text",
  messageId: "text",
  userId: "number",
  username: "text",
  face: "number",
  minutes: "number",
  reason: "text",
  seconds: "number",
  body: "text",
  idempotencyKey: "text",
} as const;

export function ChatScreen() {
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  const viewer = useViewer();
  if (session === undefined || viewer === null)
    throw new Error("The chat screen was opened outside a session's route.");
  return <Chat loaded={session} viewer={viewer} />;
}

function Chat({ loaded, viewer }: { loaded: SessionView; viewer: ViewerView }) {
  const data = useLoaderData<ChatData>();
  const answer = useActionData<RefusedForm<typeof fields> | NameRemoved>();
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
      <Refusal refused={refusal} />
      {answer !== undefined && "removed" in answer ? <UndoName {...answer.removed} /> : null}
      {answer === undefined && search === MUTED ? <Note tone="ok">The player is muted.</Note> : null}
      <MessageList {...list} earlier={data.earlier} admin={admin} />
      {data.earlier ? null : <Composer {...composer} formKey={data.formKey} />}
    </main>
  );
}

function UndoName({ userId, username, face, hadPicture }: NameRemoved["removed"]) {
  return (
    <PostForm className="row wrap" preventScrollReset fields={{ user_id: userId, username, face }}>
      <Note tone="ok">
        {hadPicture
          ? say`The name ${username} is taken away, and its picture is deleted. Undo gives the name back.`
          : say`The name ${username} is taken away.`}
      </Note>
      <Submit className="btn sm" intent="restore_name">
        {words.undo}
      </Submit>
    </PostForm>
  );
}

function Head({ session, admin }: { session: SessionView; admin: boolean }) {
  return (
    <header>
      <h1>{words.chat}</h1>
      <span className="small ink2">{`${countOf(usePlayersHere(session.playersOnline), "player")} here`}</span>
      {admin ? <SlowMode session={session} /> : null}
    </header>
  );
}

/** For admins: sets how long players wait between two messages. A session that is over cannot be changed. */
function SlowMode({ session }: { session: SessionView }) {
  const { slowModeSeconds } = session.settings;
  const over = session.state === "stopped";
  return (
    <PostForm className="row push slow-mode">
      <label className="small" htmlFor="slow-mode">
        Slow mode
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
            {seconds === 0 ? "Off" : `${seconds} s`}
          </option>
        ))}
      </select>
      <Submit className="btn sm" intent="slow_mode" disabledReason={over ? "This session is over." : null}>
        Set
      </Submit>
    </PostForm>
  );
}

/**
 * The chat of a live session for browsers without JavaScript, where the game cannot open it beside the card. With JavaScript the
 * page asks its guard again, which leads players to the live game.
 */
export function LiveChatScreen() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const here = pathname + search;
  useEffect(() => void navigate(here, { replace: true }), [navigate, here]);
  return <ChatScreen />;
}

type ChatData = MessagesAnswer & {
  /** The address has `?before=`: only older messages are shown, and nothing new is received. */
  earlier: boolean;
  /** Idempotency-Key of the form when it is sent without JavaScript. */
  formKey: string;
};

/** The newest messages of the session's chat, or those before the id in `?before=`. */
export async function loadChat({ api, params, url }: LoaderArgs): Promise<ChatData> {
  const before = url.searchParams.get("before");
  const answer = await api.get("/api/v1/messages", {
    query: { sessionId: params["slug"], before },
  });
  return { ...answer, earlier: before !== null, formKey: randomId() };
}

/** The name that was taken away a moment ago, which one click gives back. */
type NameRemoved = { removed: TakenName };
type Sent = FormOf<typeof fields>;

/** Handles the forms of the Chat tab: send a message without JavaScript; for admins remove or approve a message, take a name away and give it back, mute, set slow mode. */
export const actOnChat = formAction(fields, async (sent, { api, params, url }) => {
  if (sent.intent === "remove_name")
    return { removed: await takeName(api, sent.userId ?? 0) } satisfies NameRemoved;
  await act(api, params["slug"] ?? "", sent);
  return url.pathname + (sent.intent === "mute" ? MUTED : "");
});

async function act(api: Api, slug: string, sent: Sent): Promise<unknown> {
  const { intent, messageId, userId, username, face, minutes, reason, seconds } = sent;
  switch (intent) {
    case "remove":
      return api.delete(`/api/v1/messages/${encodeURIComponent(messageId)}`);
    case "approve":
      return api.put(`/api/v1/messages/${encodeURIComponent(messageId)}/approve`);
    case "restore_name":
      return giveNameBack(api, { userId: userId ?? 0, username, face });
    case "mute":
      return api.post("/api/v1/mutes", { mute: { sessionId: slug, userId, minutes, reason } });
    case "slow_mode":
      return api.patch(sessionPath(slug), { session: { settings: { slowModeSeconds: seconds } } });
    default:
      return sendMessage(api, slug, sent);
  }
}

function sendMessage(api: Api, slug: string, { body, idempotencyKey: key }: Sent): Promise<unknown> {
  return api.post(
    "/api/v1/messages",
    { message: { sessionId: slug, body } },
    { headers: key === "" ? {} : { "idempotency-key": key } },
  );
}
