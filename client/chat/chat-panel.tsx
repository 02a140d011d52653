import { useEffect, useState } from "react";
import type { MessagesAnswer } from "#src/chat/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import { useApi, useViewer } from "../context.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { Composer } from "./composer.tsx";
import { Log } from "./log.tsx";
import { useChat } from "./use-chat.ts";

/** The chat beside something else: it fetches by itself what was said. */
export function ChatPanel({ session }: { session: SessionView }) {
  const viewer = useViewer();
  const answer = useMessages(session.slug);
  if (viewer === null) return null;
  if (answer === null) return <p className="body small ink2">Loading...</p>;
  return <LoadedChat session={session} viewer={viewer} answer={answer} />;
}

type Loaded = { session: SessionView; viewer: ViewerView; answer: MessagesAnswer };

function LoadedChat({ session, viewer, answer }: Loaded) {
  const { log, writing } = useChat({ loaded: session, viewer, answer, live: true, said: "" });
  return (
    <div className="chat-panel">
      <Log {...log} earlier={false} admin={false} />
      <Composer {...writing} formKey="" />
    </div>
  );
}

/** Null until they are there; while the server is away it is asked again. */
function useMessages(sessionId: string): MessagesAnswer | null {
  const api = useApi();
  const [answer, setAnswer] = useState<MessagesAnswer | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    const ask = oneAtATime(gone.signal, async () => {
      const found = await api.get("/api/v1/messages", { query: { sessionId }, signal: gone.signal });
      if (!gone.signal.aborted) setAnswer(found);
    });
    ask();
    return () => gone.abort();
  }, [api, sessionId]);
  return answer;
}
