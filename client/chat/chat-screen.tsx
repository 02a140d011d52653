import { useActionData, useLoaderData, useLocation, useRouteLoaderData } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import { useViewer } from "../context.ts";
import { SESSION_ROUTE } from "../frame/use-here.ts";
import type { SessionData } from "../sessions/load-session.ts";
import { countOf } from "../ui/count.ts";
import { Note } from "../ui/note.tsx";
import { type ChatRefusal, MUTED } from "./act-on-chat.ts";
import { Composer } from "./composer.tsx";
import type { ChatData } from "./load-chat.ts";
import { Log } from "./log.tsx";
import { SlowMode } from "./slow-mode.tsx";
import { useChat } from "./use-chat.ts";
import { useSeenHeight } from "./use-seen-height.ts";

/** What is said in a session, as it is said. */
export function ChatScreen() {
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  const viewer = useViewer();
  if (session === undefined || viewer === null) throw new Error("The chat stands outside its session.");
  return <Chat loaded={session} viewer={viewer} />;
}

function Chat({ loaded, viewer }: { loaded: SessionView; viewer: ViewerView }) {
  const data = useLoaderData<ChatData>();
  const refusal = useActionData<ChatRefusal>();
  const said = refusal?.body ?? "";
  const { session, log, writing } = useChat({ loaded, viewer, answer: data, live: !data.earlier, said });
  const { search } = useLocation();
  useSeenHeight();
  const admin = viewer.roles.includes("admin");
  return (
    <main className="chat" id="main" tabIndex={-1}>
      <Head session={session} admin={admin} />
      {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      {refusal === undefined && search === MUTED ? <Note tone="ok">The player is muted.</Note> : null}
      <Log {...log} earlier={data.earlier} admin={admin} />
      {data.earlier ? null : <Composer {...writing} formKey={data.formKey} />}
    </main>
  );
}

function Head({ session, admin }: { session: SessionView; admin: boolean }) {
  return (
    <header>
      <h1>Chat</h1>
      <span className="small ink2">{countOf(Math.max(1, session.playersOnline), "player")} here</span>
      {admin ? <SlowMode session={session} /> : null}
    </header>
  );
}
