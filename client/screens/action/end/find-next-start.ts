import type { Api } from "#client/base/api/api.ts";
import type { NextStart } from "#client/events/load-action.ts";

const PLANNED_MAX = 100;

/** The planned session that starts first; null if none is planned. @param nowMs the server's time, in milliseconds. */
export async function findNextStart(
  api: Api,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<NextStart | null> {
  const query = { state: "pending", perPage: PLANNED_MAX };
  const { sessions } = await api.get("/api/v1/sessions", { query, signal });
  const planned = sessions.flatMap(({ slug, name, startsAt }) =>
    startsAt !== null && Date.parse(startsAt) > nowMs ? [{ slug, name, startsAt }] : [],
  );
  const [first] = planned.toSorted((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
  return first ?? null;
}
