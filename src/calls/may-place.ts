import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { requireViewer } from "#src/users/require-viewer.ts";
import type { Viewer } from "#src/users/viewer.ts";
import type { Visit } from "#src/users/visit.ts";

/** Whoever may place a call: guests too. Refuses the signed out (401), and who places faster than any hand (429). */
export async function mayPlace(deps: Pick<Deps, "env" | "redis">, visit: Visit): Promise<Viewer> {
  const viewer = requireViewer(visit);
  await limitRate(deps, rates.placeCall, visit);
  return viewer;
}
