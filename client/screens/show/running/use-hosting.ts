import { useCallback, useEffect, useRef, useState } from "react";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { randomId } from "#client/base/browser/random-id.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { HOST_EVERY_MS } from "#src/show/hosting/contract.ts";
import type { Arming, HostsAnswer, HostView } from "#src/show/hosting/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

export type Hosting = {
  /** The pages of other hosts, and other windows of the viewer. */
  others: readonly HostView[];
  /** A host as the viewer knows them. */
  nameOf: (host: Pick<HostView, "userId" | "username">) => string;
};

/**
 * Who else runs the session, and what they have armed. This page reports itself while it is visible. What is known is right
 * after a reload, and as fresh as the last message or report; a host who does not report expires on the server.
 */
export function useHosting(session: SessionView, loaded: HostsAnswer, arming: Arming): Hosting {
  const api = useApi();
  const viewerId = useViewer()?.id;
  const [tab] = useState(() => randomId());
  const [known, setKnown] = useState(loaded);
  const reports = useRef<Promise<unknown>>(Promise.resolve());
  const learn = useCallback(
    (list: HostsAnswer) =>
      setKnown((last) => (Date.parse(list.serverTime) >= Date.parse(last.serverTime) ? list : last)),
    [],
  );
  const { eventId, act } = arming ?? {};
  const report = useCallback(() => {
    const armed = eventId === undefined || act === undefined ? null : { eventId, act };
    const path = `${sessionPath(session.slug)}/hosts/${tab}` as const;
    const send = () => api.put(path, { host: { arming: armed } });
    // One after the other, so that the last one counts. Without an answer nothing changes; the next report follows.
    reports.current = reports.current.then(send).then(learn, leaveIfRefused);
  }, [api, session.slug, tab, eventId, act, learn]);
  useEffect(report, [report]);
  usePolling(report, { everyMs: HOST_EVERY_MS, enabled: true, whenVisible: true });
  useLeaving(api, session.slug, tab);
  // What was missed comes with the next report.
  useSessionMessages(
    session.id,
    { received: ({ sourceType, detail }) => sourceType === "Host" && learn(detail) },
    "page",
  );
  const nameOf = useCallback(
    ({ userId, username }: Pick<HostView, "userId" | "username">) =>
      userId === viewerId ? "Your other window" : username,
    [viewerId],
  );
  return { others: known.hosts.filter((host) => host.tab !== tab), nameOf };
}

/** Who is no host any more leaves the page: it is loaded again, and leads to the sessions. */
function leaveIfRefused(error: unknown): void {
  if (error instanceof ApiError && error.status === 403) location.reload();
}

function useLeaving(api: Api, slug: string, tab: string): void {
  useEffect(() => {
    const leave = () => {
      const path = `${sessionPath(slug)}/hosts/${tab}` as const;
      void api.delete(path).catch(() => undefined);
    };
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [api, slug, tab]);
}
