import { useActionData, useLoaderData, useLocation, useRouteLoaderData } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import { usePlayersHere } from "../action/players-here.ts";
import { useViewer } from "../context.ts";
import { SESSION_ROUTE } from "../frame/use-here.ts";
import type { SessionData } from "../sessions/load-session.ts";
import { Note } from "../ui/note.tsx";
import { type ChatRefusal, MUTED } from "./act-on-chat.ts";
import * as texts from "./chat-texts.ts";
import { Composer } from "./composer.tsx";
import type { ChatData } from "./load-chat.ts";
import { MessageList } from "./message-list.tsx";
import { SlowMode } from "./slow-mode.tsx";
import { useChat } from "./use-chat.ts";
import { useVisibleHeight } from "./use-visible-height.ts";

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
  const refusal = useActionData<ChatRefusal>();
  const { session, list, composer } = useChat({
    loaded,
    viewer,
    answer: data,
    live: !data.earlier,
    firstBody: refusal?.body ?? "",
  });
  const { search } = useLocation();
  useVisibleHeight(true);
  const admin = viewer.roles.includes("admin");
  return (
    <main className="chat" id="main" tabIndex={-1}>
      <Head session={session} admin={admin} />
      {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      {refusal === undefined && search === MUTED ? <Note tone="ok">{texts.playerMuted}</Note> : null}
      <MessageList {...list} earlier={data.earlier} admin={admin} />
      {data.earlier ? null : <Composer {...composer} formKey={data.formKey} />}
    </main>
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
