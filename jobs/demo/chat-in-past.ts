import { demoLines } from "#db/seeds/chat.ts";
import type { Dice } from "#src/base/dice.ts";
import { createMessage } from "#src/play/chat/create-message.ts";
import type { Past } from "./past.ts";

const SECOND_MS = 1_000;
const MESSAGES_MAX = 2;
const MESSAGE_EVERY_MS = 4 * SECOND_MS;

type PastChat = {
  sessionId: number;
  eventId: number;
  players: readonly { id: number }[];
  dice: Dice;
  atMs: number;
};

/** Some players send a chat message about an event that has just ended, within ten seconds. */
export async function chatInPast(
  past: Past,
  { sessionId, eventId, players, dice, atMs }: PastChat,
): Promise<void> {
  const messagesCount = dice.between(0, MESSAGES_MAX);
  const first = dice.between(0, demoLines.length - 1);
  for (let nth = 1; nth <= messagesCount; nth += 1) {
    const player = players[dice.between(0, players.length - 1)];
    const body = demoLines[(first + nth) % demoLines.length];
    if (player === undefined || body === undefined) return;
    await past.setClock(new Date(atMs + nth * MESSAGE_EVERY_MS));
    await createMessage(past.deps, {
      viewer: { id: player.id, guest: false, roles: [] },
      sessionId: String(sessionId),
      body,
      clientId: `history-${eventId}-${nth}`,
    });
  }
}
