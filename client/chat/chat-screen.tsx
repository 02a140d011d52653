import { useEffect } from "react";
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
import { MessageList } from "./message-list.tsx";
import { SlowMode } from "./slow-mode.tsx";
import { useChat } from "./use-chat.ts";

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
  useVisibleHeight();
  const admin = viewer.roles.includes("admin");
  return (
    <main className="chat" id="main" tabIndex={-1}>
      <Head session={session} admin={admin} />
      {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      {refusal === undefined && search === MUTED ? <Note tone="ok">The player is muted.</Note> : null}
      <MessageList {...list} earlier={data.earlier} admin={admin} />
      {data.earlier ? null : <Composer {...composer} formKey={data.formKey} />}
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

/** The style sheet reads this property. */
const VISIBLE_HEIGHT = "--seen-height";

/** Fits the page to the visible part of the window, so that an open keyboard hides neither the field nor the newest messages. */
function useVisibleHeight(): void {
  useEffect(() => {
    const { visualViewport: viewport, document: page } = globalThis.window;
    if (viewport === null) return;
    const measure = () => {
      page.documentElement.style.setProperty(VISIBLE_HEIGHT, `${viewport.height}px`);
      // The browser has scrolled the page to show the field. The page fits without that.
      globalThis.scrollTo(0, 0);
    };
    viewport.addEventListener("resize", measure);
    return () => {
      viewport.removeEventListener("resize", measure);
      page.documentElement.style.removeProperty(VISIBLE_HEIGHT);
    };
  }, []);
}
