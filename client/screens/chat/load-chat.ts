import type { LoaderFunctionArgs } from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { MessagesAnswer } from "#src/play/chat/schemas.ts";

export type ChatData = MessagesAnswer & {
  /** The address has `?before=`: only older messages are shown, and nothing new is received. */
  earlier: boolean;
  /** Idempotency-Key of the form when it is sent without JavaScript. */
  formKey: string;
};

/** The newest messages of the session's chat, or those before the id in `?before=`. */
export async function loadChat({ context, params, request }: LoaderFunctionArgs): Promise<ChatData> {
  const before = new URL(request.url).searchParams.get("before");
  const answer = await context.get(apiContext).get("/api/v1/messages", {
    query: { sessionId: params["slug"], before },
    signal: request.signal,
  });
  return { ...answer, earlier: before !== null, formKey: randomId() };
}
