import { useCallback, useEffect, useState } from "react";
import { useActionData, useLoaderData, useRevalidator } from "react-router";
import { endingWith } from "#client/base/api/api.ts";
import { pause } from "#client/base/browser/pause.ts";
import { isDismissed } from "#client/base/live/connection.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import { useOwnMessagesMissed } from "#client/results/live-messages.tsx";
import { useLiveSession } from "#client/sessions/use-live-session.ts";
import { formAction } from "#client/ui/forms/form-action.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { useHere } from "#client/ui/use-here.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { Composer } from "./composer.tsx";
import { useHealth } from "./health/health-panel.tsx";
import { SideButton, SideColumn, useDrawer, useWaiting } from "./health/side-column.tsx";
import { RunOfShow } from "./run-of-show.tsx";
import { performAct } from "./running/perform-act.ts";
import { ShowContext, useShow } from "./running/show-context.ts";
import {
  fetchActiveElsewhere,
  fetchAudit,
  fetchShow,
  initialShowState,
  needsRefetch,
  reduceShowState,
  type ActiveElsewhere,
  type ShowData,
  type ShowPage,
  type ShowSnapshot,
} from "./running/show-state.ts";
import { useHosting } from "./running/use-hosting.ts";
import { type LiveShow, useRunningShow } from "./running/use-running-show.ts";
import { SessionDeck } from "./session-deck.tsx";
import { Stage } from "./stage/stage.tsx";
import { shownOf, useHotkeys } from "./stage/use-hotkeys.ts";
import { type Check, listChecks } from "./start/checklist.tsx";
import { BeforeShow } from "./start/invite.tsx";
import { StartButton } from "./start/start-button.tsx";

const BETWEEN_FETCHES_MS = 250;

/** The cable does not carry everything that others do, such as changes of drafts. The audit has it all, and is polled. */
const AUDIT_POLL_MS = 3_000;

/** While a large settlement is paid in parts the page shows its progress. */
const PAYING_POLL_MS = 1_500;

const ASK_EVERY_MS = 5_000;

/** The session's Admin tab: the running order, the event on the stage, and everything that can be done to both. */
export function ShowScreen() {
  const slug = useHere().session?.slug ?? "";
  // The key resets all state when another session is opened.
  return <Show key={slug} slug={slug} />;
}

function Show({ slug }: { slug: string }) {
  const show = useRunningShow(slug, useLiveShow());
  const { session, onStage, acting, arming } = show;
  const { armed } = arming;
  const hosting = useHosting(
    session,
    useLoaderData<ShowPage>().hosting,
    armed === null ? null : { eventId: armed.event.id, act: armed.act },
  );
  useHotkeys(shownOf(session, onStage, arming.lost));
  const refused = useActionData<Refused>();
  return (
    <ShowContext value={{ ...show, hosting }}>
      <main
        className={session.state === "pending" ? "show before" : "show"}
        id="main"
        tabIndex={-1}
        data-takes-keys=""
      >
        <Room refusal={acting.refusal ?? refused?.refusal ?? null} />
      </main>
    </ShowContext>
  );
}

function Room({ refusal }: { refusal: string | null }) {
  const { acting } = useShow();
  const health = useHealth();
  const drawer = useDrawer();
  const waiting = useWaiting();
  const { checks, activeElsewhere } = useChecks();
  return (
    <>
      <SessionDeck start={<StartButton checks={checks} activeElsewhere={activeElsewhere} />}>
        <SideButton health={health} drawer={drawer} waiting={waiting} />
      </SessionDeck>
      {checks.length === 0 ? null : <BeforeShow checks={checks} />}
      <div className="stage-col">
        {refusal === null ? null : <Note tone="bad">{refusal}</Note>}
        {acting.answersAgain ? <Note>The server answers again. The page shows what was done.</Note> : null}
        <Stage pace={health.view?.pace ?? null} />
      </div>
      <div className="run-col">
        <RunOfShow />
        <Composer />
      </div>
      <SideColumn health={health} drawer={drawer} waiting={waiting} />
    </>
  );
}

/** The show as loaded, kept live: whatever anybody changes in it is fetched as soon as a message or the audit mentions it. */
function useLiveShow(): LiveShow {
  const data = useLoaderData<ShowData>();
  const { revalidate } = useRevalidator();
  const { session, state, dispatch, refetch } = useLiveSession({
    data,
    initialState: initialShowState,
    reduce: reduceShowState,
    snapshotOf,
    fetchData: fetchShow,
    // Where much happens at once, one fetch covers it all.
    onFetched: () => pause(BETWEEN_FETCHES_MS),
    // Signed out, no admin any more, or the session is deleted: the router knows what to show instead.
    onRefused: () => revalidate(),
    needsRefetch,
    subscribed: true,
  });
  const paying = state.events.some(({ plan }) => plan?.paying != null);
  // Who has a call on an event may not decide it: the admin may have placed one in another window.
  useOwnCalls(({ call }) => {
    if (call.sessionId === session.id) refetch();
  });
  useOwnMessagesMissed(refetch);
  usePolling(refetch, { everyMs: PAYING_POLL_MS, enabled: paying, whenVisible: true });
  useAuditPolling(session.slug, state.audit.at(0)?.id ?? null, refetch);
  const learn = useCallback((event: EventView) => dispatch({ kind: "acted", event }), [dispatch]);
  return { state, renderedAt: data.serverTime, refetch, learn };
}

function snapshotOf({ events, audit, serverTime }: ShowData, session: SessionView): ShowSnapshot {
  return { session, events, audit, fetchedAt: serverTime };
}

/** Fetches the show again when the audit has a newer line than this page. */
function useAuditPolling(slug: string, newestId: number | null, refetch: () => void): void {
  const api = useApi();
  useEffect(() => {
    const unmounted = new AbortController();
    const poll = async () => {
      if (isDismissed() || document.visibilityState !== "visible") return;
      const [newest] = await fetchAudit(endingWith(unmounted.signal, api), slug, 1);
      if (newest !== undefined && newest.id !== newestId) refetch();
    };
    // A poll without an answer changes nothing; the next one follows.
    const timer = setInterval(() => void poll().catch(() => undefined), AUDIT_POLL_MS);
    return () => {
      unmounted.abort();
      clearInterval(timer);
    };
  }, [api, slug, newestId, refetch]);
}

/** What a host looks at before a show, and where players are sent until then. Nothing once it has started. */
function useChecks(): { checks: Check[]; activeElsewhere: ActiveElsewhere | null } {
  const { session, events, planned } = useShow();
  const api = useApi();
  const [other, setOther] = useState(useLoaderData<ShowPage>().activeElsewhere);
  const { slug } = session;
  const isPending = session.state === "pending";
  const ask = useCallback(() => {
    // Without an answer the list stays as it is; the next question follows.
    fetchActiveElsewhere(api, slug).then(setOther, () => undefined);
  }, [api, slug]);
  usePolling(ask, { everyMs: ASK_EVERY_MS, enabled: isPending, whenVisible: true });
  // A message has said that players are sent here, before the next question.
  const activeElsewhere = session.active ? null : other;
  return {
    checks: isPending ? listChecks({ session, events, planned, activeElsewhere }) : [],
    activeElsewhere,
  };
}

/** Handles the forms of the Admin tab when there is no script: performs the act, then shows the page again. */
export const actOnShow = formAction({}, async (_sent, { api, form, params, url }) => {
  await performAct({ api, slug: params["slug"] ?? "", form });
  return url.pathname + url.search;
});
