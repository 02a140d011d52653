import { demoLines } from "#db/seeds/chat.ts";
import { createMessage } from "#src/chat/create-message.ts";
import type { Dice } from "./dice.ts";
import type { Past } from "./past.ts";

const SECOND_MS = 1_000;
const LINES_MAX = 2;
const EACH_MS = 4 * SECOND_MS;

type Talk = {
  sessionId: number;
  eventId: number;
  players: readonly { id: number }[];
  dice: Dice;
  atMs: number;
};

/** Some of the players say something about an event that has just ended, within ten seconds. */
export async function talkInPast(
  past: Past,
  { sessionId, eventId, players, dice, atMs }: Talk,
): Promise<void> {
  const lines = dice.between(0, LINES_MAX);
  const first = dice.between(0, demoLines.length - 1);
  for (let nth = 1; nth <= lines; nth += 1) {
    const player = players[dice.between(0, players.length - 1)];
    const body = demoLines[(first + nth) % demoLines.length];
    if (player === undefined || body === undefined) return;
    await past.setClock(new Date(atMs + nth * EACH_MS));
    await createMessage(past.deps, {
      viewer: { id: player.id, guest: false, roles: [] },
      sessionId: String(sessionId),
      body,
      clientId: `history-${eventId}-${nth}`,
    });
  }
}
