import { REPLAYED_HEADER } from "#src/http/if-match.ts";
import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { createMessage } from "./create-message.ts";
import { findMessage, listMessages } from "./find-messages.ts";
import { approveMessage, destroyMessage, mutePlayer } from "./moderate-chat.ts";
import {
  createMessageBody,
  createMuteBody,
  messageAnswer,
  messagesAnswer,
  messagesQuery,
  muteAnswer,
} from "./schemas.ts";

/*
 * Only accounts can read and write a chat. It has a stream of its own on the session's channel, beside the game's: a busy chat
 * cannot push the game out of the stream's history, and guests, who do not get it, see no gaps in their offsets. Pages do not
 * catch up on chat messages from the stream: they read the newest 50 after each connect.
 */

export const chatEndpoints = {
  listMessages: endpoint({
    route: "GET /api/v1/messages",
    summary: "Lists the newest 50 messages of a session's chat, or the 50 before a message",
    who: "account",
    query: messagesQuery.entries,
    answer: messagesAnswer,
    handle: (deps, { viewer, query, now }) => listMessages(deps.pool.db, { viewer, query }, now),
  }),
  createMessage: endpoint({
    route: "POST /api/v1/messages",
    summary: "Writes a message into a session's chat",
    notes: "On the cable: the action `speak` of the SessionsChannel.",
    who: "account",
    body: { message: createMessageBody },
    answer: messageAnswer,
    creates: true,
    rate: rates.speak,
    refusals: {
      word: "The message contains an insult.",
      link: "The message contains a link, which only admins may write.",
      switched_off: { status: 403, when: "An admin has turned the chat off." },
      muted: { status: 403, when: "An admin has muted the player in this session." },
      too_soon: {
        status: 429,
        when: "Too little time has passed since the player's last message; slow mode makes the wait longer.",
      },
      idempotency_key_reused: "The Idempotency-Key belongs to another message.",
    },
    handle: async (deps, { viewer, body, idempotencyKey, set }) => {
      const message = { viewer, ...body.message, clientId: idempotencyKey };
      const { messageId, replayed } = await createMessage(deps, message);
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { message: await findMessage(deps.pool.db, messageId) };
    },
  }),
  destroyMessage: endpoint({
    route: "DELETE /api/v1/messages/:id",
    summary: "Deletes a message for all players",
    who: "host",
    session: "message",
    handle: (deps, { viewer, params }) => destroyMessage(deps, { messageId: params.id, actor: viewer }),
  }),
  approveMessage: endpoint({
    route: "PUT /api/v1/messages/:id/approve",
    summary: "Lets a message on the big screen of a session whose messages are approved",
    who: "host",
    session: "message",
    answer: messageAnswer,
    handle: async (deps, { viewer, params }) => {
      await approveMessage(deps, { messageId: params.id, actor: viewer });
      return { message: await findMessage(deps.pool.db, params.id) };
    },
  }),
  mutePlayer: endpoint({
    route: "POST /api/v1/mutes",
    summary: "Mutes a player in a session's chat for some minutes",
    who: "host",
    session: "body",
    body: { mute: createMuteBody },
    answer: muteAnswer,
    creates: true,
    handle: async (deps, { viewer, body, keyed }) => ({
      mute: await mutePlayer(deps, { ...body.mute, actor: viewer }, keyed),
    }),
  }),
};
