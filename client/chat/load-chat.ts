import type { LoaderFunctionArgs } from "react-router";
import type { MessagesAnswer } from "#src/chat/schemas.ts";
import { apiContext } from "../context.ts";

export type ChatData = MessagesAnswer & {
  /** The address asks for messages of earlier: they stand for themselves, and nothing new is heard. */
  earlier: boolean;
  /** Idempotency-Key of the form as it is sent without script. */
  formKey: string;
};

/** The newest messages of the session's chat, or those before the one that `?before=` names. */
export async function loadChat({ context, params, request }: LoaderFunctionArgs): Promise<ChatData> {
  const before = new URL(request.url).searchParams.get("before");
  const answer = await context.get(apiContext).get("/api/v1/messages", {
    query: { sessionId: params["slug"], before },
    signal: request.signal,
  });
  return { ...answer, earlier: before !== null, formKey: crypto.randomUUID() };
}
