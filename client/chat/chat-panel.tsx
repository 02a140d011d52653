import { useEffect, useState } from "react";
import * as words from "#client/base/format/words.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { MessagesAnswer } from "#src/play/chat/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { useSingleFlight } from "../base/live/single-flight.ts";
import { useApi, useViewer } from "../base/page/context.ts";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import { useChat } from "./use-chat.ts";

/** The chat in the rail beside the game, for players whom the Chat tab redirects to the live game. It fetches its messages itself. */
export function ChatPanel({ session }: { session: SessionView }) {
  const viewer = useViewer();
  const answer = useMessages(session.slug);
  if (viewer === null) return null;
  if (answer === null) return <p className="body small ink2">{words.loading}</p>;
  return <LoadedChat session={session} viewer={viewer} answer={answer} />;
}

type LoadedChatProps = { session: SessionView; viewer: ViewerView; answer: MessagesAnswer };

function LoadedChat({ session, viewer, answer }: LoadedChatProps) {
  const { list, composer } = useChat({ loaded: session, viewer, answer, live: true, firstBody: "" });
  return (
    <div className="chat-panel">
      <MessageList {...list} earlier={false} admin={false} />
      <Composer {...composer} formKey="" />
    </div>
  );
}

/** Null until they have arrived. While the server is away the request is repeated. */
function useMessages(sessionId: string): MessagesAnswer | null {
  const api = useApi();
  const [answer, setAnswer] = useState<MessagesAnswer | null>(null);
  const fetchMessages = useSingleFlight(async (signal) => {
    const messages = await api.get("/api/v1/messages", { query: { sessionId }, signal });
    if (!signal.aborted) setAnswer(messages);
  }, sessionId);
  useEffect(fetchMessages, [sessionId, fetchMessages]);
  return answer;
}
