import { useEffect, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { useApi } from "#client/base/page/context.ts";
import type { NextStart } from "#client/events/load-action.ts";
import { useView } from "#client/events/view.ts";

const PLANNED_MAX = 100;

/**
 * The next planned session. The server brings it with the page of a session that is over; a page on which the session has just
 * ended fetches it.
 * @returns null if none is planned; undefined while it is not known, and for signed-out viewers, who read no sessions.
 */
export function useNextStart(): NextStart | null | undefined {
  const { data, watching } = useView();
  const api = useApi();
  const [fetched, setFetched] = useState<NextStart | null>();
  const isMissing = data.next === undefined && !watching;
  useEffect(() => {
    if (!isMissing) return;
    const leaving = new AbortController();
    findNextStart(api, { nowMs: serverNow(), signal: leaving.signal }).then(
      setFetched,
      // Then the line keeps what it says without it.
      () => undefined,
    );
    return () => leaving.abort();
  }, [api, isMissing]);
  return data.next === undefined ? fetched : data.next;
}

/** The planned session that starts first; null if none is planned. @param nowMs the server's time, in milliseconds. */
async function findNextStart(
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
