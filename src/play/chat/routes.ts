import type { Deps } from "#src/base/deps.ts";
import { REPLAYED_HEADER } from "#src/http/if-match.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { createMessage } from "./create-message.ts";
import { chatEndpoints } from "./endpoints.ts";
import { findMessage, listMessages } from "./find-messages.ts";
import { approveMessage, destroyMessage, mutePlayer } from "./moderate-chat.ts";

export function chatRoutes(deps: Deps) {
  return serveEndpoints(chatEndpoints, {
    listMessages: ({ viewer, query, now }) => listMessages(deps.pool.db, { viewer, query }, now),
    createMessage: async ({ viewer, body, idempotencyKey, set }) => {
      const message = { viewer, ...body.message, clientId: idempotencyKey };
      const { messageId, replayed } = await createMessage(deps, message);
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { message: await findMessage(deps.pool.db, messageId) };
    },
    destroyMessage: ({ viewer, params }) => destroyMessage(deps, { messageId: params.id, actor: viewer }),
    approveMessage: async ({ viewer, params }) => {
      await approveMessage(deps, { messageId: params.id, actor: viewer });
      return { message: await findMessage(deps.pool.db, params.id) };
    },
    mutePlayer: async ({ viewer, body, keyed }) => ({
      mute: await mutePlayer(deps, { ...body.mute, actor: viewer }, keyed),
    }),
  });
}
