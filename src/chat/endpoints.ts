import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import {
  createMessageBody,
  createMuteBody,
  messageAnswer,
  messagesAnswer,
  messagesQuery,
  muteAnswer,
} from "./schemas.ts";

/** A session's chat, which guests neither see nor write in. */
export const chatEndpoints = {
  listMessages: {
    method: "GET",
    path: "/api/v1/messages",
    summary: "The newest 50 messages of a session's chat, or those before one of them",
    who: "account",
    query: messagesQuery.entries,
    answer: messagesAnswer,
  },
  createMessage: {
    method: "POST",
    path: "/api/v1/messages",
    summary: "Writes into a session's chat",
    notes: "Over the cable the same is `speak` on the SessionsChannel.",
    who: "account",
    body: { message: createMessageBody },
    answer: messageAnswer,
    status: 201,
    idempotent: true,
    rate: rates.speak,
    refusals: {
      word: "It has a word that is not used here.",
      link: "It has a link, which only admins may write.",
      muted: { status: 403, when: "An admin has muted the player in this session." },
      too_soon: {
        status: 429,
        when: "The player's last message was a moment ago, or the session is in slow mode.",
      },
      idempotency_key_reused: "The Idempotency-Key belongs to another message.",
    },
  },
  destroyMessage: {
    method: "DELETE",
    path: "/api/v1/messages/:id",
    summary: "Deletes a message for everybody",
    who: "admin",
  },
  mutePlayer: {
    method: "POST",
    path: "/api/v1/mutes",
    summary: "Lets a player write nothing more in a session for a while",
    who: "admin",
    body: { mute: createMuteBody },
    answer: muteAnswer,
    status: 201,
  },
} as const satisfies Endpoints;
