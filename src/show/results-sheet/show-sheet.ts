import type { Deps } from "#src/base/deps.ts";
import { dollarsOf } from "#src/http/money.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { readSheet } from "./read-sheet.ts";
import type { ResultsSheet } from "./schemas.ts";

/**
 * The results sheet of a session.
 * @throws Refusal 404 for an unknown session.
 */
export async function showSheet(
  { pool: { db }, env }: Pick<Deps, "pool" | "env">,
  slugOrId: string,
): Promise<ResultsSheet> {
  const { id, slug, name, state, startedAt, stoppedAt } = await requireSession(db, slugOrId);
  const { players, questions } = await readSheet(db, { sessionId: id, rankGuests: env.rankGuests });
  return {
    session: {
      id,
      slug,
      name,
      state,
      startedAt: startedAt?.toISOString() ?? null,
      stoppedAt: stoppedAt?.toISOString() ?? null,
    },
    players: players.map((player) => ({
      ...player,
      wagered: dollarsOf(player.wageredCents),
      returned: dollarsOf(player.returnedCents),
      net: dollarsOf(player.netCents),
    })),
    questions: questions.map(({ truePoolCents, falsePoolCents, ...question }) => ({
      ...question,
      truePool: dollarsOf(truePoolCents),
      truePoolCents,
      falsePool: dollarsOf(falsePoolCents),
      falsePoolCents,
      pool: dollarsOf(truePoolCents + falsePoolCents),
      poolCents: truePoolCents + falsePoolCents,
      paid: question.paidCents === null ? null : dollarsOf(question.paidCents),
    })),
  };
}
