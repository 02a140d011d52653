import { useCallback, useState } from "react";
import { useLoaderData } from "react-router";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import { fetchActiveElsewhere, type ShowPage } from "../load-show.ts";
import { useShow } from "../show-context.ts";
import { type ActiveElsewhere, type Check, listChecks } from "./checklist.ts";

const ASK_EVERY_MS = 5_000;

/** What a host looks at before a show, and where players are sent until then. Nothing once it has started. */
export function useChecks(): { checks: Check[]; activeElsewhere: ActiveElsewhere | null } {
  const { session, events, planned } = useShow();
  const api = useApi();
  const [other, setOther] = useState(useLoaderData<ShowPage>().activeElsewhere);
  const { slug } = session;
  const isPending = session.state === "pending";
  const ask = useCallback(() => {
    const { signal } = new AbortController();
    // Without an answer the list stays as it is; the next question follows.
    fetchActiveElsewhere(api, slug, signal).then(setOther, () => undefined);
  }, [api, slug]);
  usePolling(ask, { everyMs: ASK_EVERY_MS, enabled: isPending, whenVisible: true });
  // A message has said that players are sent here, before the next question.
  const activeElsewhere = session.active ? null : other;
  return {
    checks: isPending ? listChecks({ session, events, planned, activeElsewhere }) : [],
    activeElsewhere,
  };
}
