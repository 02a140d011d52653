import { useState } from "react";
import { useActionData, useLoaderData, useRouteLoaderData } from "react-router";
import type { SessionView } from "#src/sessions/contract.ts";
import type { ViewerView } from "#src/users/contract.ts";
import { useViewer } from "../context.ts";
import { SESSION_ROUTE } from "../frame/use-here.ts";
import type { SessionData } from "../sessions/load-session.ts";
import { Note } from "../ui/note.tsx";
import { countOf } from "../ui/count.ts";
import type { ChatRefusal } from "./act-on-chat.ts";
import { Composer, focusField } from "./composer.tsx";
import type { ChatData } from "./load-chat.ts";
import { Log } from "./log.tsx";
import { SlowMode } from "./slow-mode.tsx";
import type { Draft } from "./talk.ts";
import { useChatSession } from "./use-chat-session.ts";
import { useSeenHeight } from "./use-seen-height.ts";
import { useSessionMessages } from "./use-session-messages.ts";
import { useSpeaking } from "./use-speaking.ts";
import { useTalk } from "./use-talk.ts";

/** What is said in a session, as it is said. */
export function ChatScreen() {
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  const viewer = useViewer();
  if (session === undefined || viewer === null) throw new Error("The chat stands outside its session.");
  return <Chat loaded={session} viewer={viewer} />;
}

function Chat({ loaded, viewer }: { loaded: SessionView; viewer: ViewerView }) {
  const data = useLoaderData<ChatData>();
  const { id, slug } = loaded;
  const { talk, change, loadOlder, lookAgain } = useTalk({ viewerId: viewer.id, slug, answer: data });
  const { session, hear } = useChatSession(loaded);
  const speaking = useSpeaking(id, change);
  useSessionMessages({ sessionId: id, live: !data.earlier, lookAgain }, (message) => {
    if (message.sourceType === "Message" && message.eventType !== "refuse") {
      change({ kind: "heard", message: message.detail.message });
    }
    hear(message);
    speaking.hear(message);
  });
  useSeenHeight();
  const refusal = useActionData<ChatRefusal>();
  const [body, setBody] = useState(refusal?.body ?? "");
  const edit = (draft: Draft) => {
    change({ kind: "dropped", clientId: draft.clientId });
    setBody(draft.body);
    focusField();
  };
  const admin = viewer.roles.includes("admin");
  const log = { talk, admin, loadOlder, earlier: data.earlier, onSayAgain: speaking.sayAgain, onEdit: edit };
  const writing = { talk, body, onBody: setBody, say: speaking.say, formKey: data.formKey };
  return (
    <main className="chat" id="main" tabIndex={-1}>
      <Head session={session} admin={admin} />
      {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      <Log {...log} />
      {data.earlier ? null : (
        <Composer
          {...writing}
          slowModeSeconds={admin ? 0 : session.settings.slowModeSeconds}
          refusedUntilMs={speaking.refusedUntilMs}
        />
      )}
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
