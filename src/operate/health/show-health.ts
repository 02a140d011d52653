import type { Deps } from "#src/base/deps.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import { type CableLoad, slowestOf } from "#src/live/cable/loads.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { checkParts } from "./check-parts.ts";
import type { HealthView, Sockets } from "./schemas.ts";
import { showPace } from "./show-pace.ts";

/**
 * What a session runs on, and how the calls of an event arrive.
 * @param hub the sockets of this process, and what it knows about the others.
 * @throws Refusal 404 for an unknown session, and for an event of another one.
 */
export async function showHealth(
  deps: Deps,
  hub: Pick<Hub, "loads">,
  { slugOrId, eventId }: { slugOrId: string; eventId: number | null },
): Promise<HealthView> {
  const { id: sessionId } = await requireSession(deps.pool.db, slugOrId);
  const { own, others } = await hub.loads.list();
  const loads = [own, ...(others ?? [])];
  const [parts, pace] = await Promise.all([
    checkParts(
      deps,
      loads.every(({ receives }) => receives),
    ),
    showPace(deps, { sessionId, eventId }),
  ]);
  return { parts, sockets: socketsOf(loads, others !== null), pace };
}

function socketsOf(loads: readonly CableLoad[], complete: boolean): Sockets {
  return {
    count: loads.reduce((total, { sockets }) => total + sockets, 0),
    slow: loads.reduce((total, { slow }) => total + slow, 0),
    slowestMs: slowestOf(loads.map(({ slowestMs }) => slowestMs)),
    complete,
  };
}
