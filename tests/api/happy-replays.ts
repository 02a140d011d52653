import { showDecisions } from "#src/replays/show-decisions.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import type { Fixture, Prepare } from "./fixture.ts";

export const happyReplays: Record<string, Prepare> = {
  showReplay: async (fixture) => ({
    ...(await withStopped(fixture)),
    query: { after: "2026-01-01T00:00:00.000Z" },
  }),
  exportReplay: async (fixture) => ({ ...(await withStopped(fixture)), query: { format: "csv" } }),
  listDecisions: withStopped,
  showResultsSheet: withStopped,
  downloadResultsSheet: async (fixture) => ({
    ...(await withStopped(fixture)),
    query: { table: "questions" },
  }),
  recomputeDecision: async (fixture) => {
    const { browser, params } = await withStopped(fixture);
    const [decision] = await showDecisions(fixture.deps.pool.db, params.id);
    return { browser, params: { id: decision?.id ?? 0 } };
  },
};

/** The admin, and a stopped session with a result. */
async function withStopped({ deps, admin }: Fixture) {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: eventId } = await buildEvent(deps, "open", { sessionId });
  const players = [await buildPlayer(deps), await buildPlayer(deps)];
  for (const [index, { id: userId }] of players.entries())
    await buildCall(deps, { userId, eventId, side: index === 0 ? "true" : "false" });
  await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  await stopSession(deps, { sessionId, actor: null });
  return { browser: admin.browser, params: { id: slug } };
}
