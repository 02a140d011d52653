import { type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useParams } from "react-router";
import { type Api, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { requestWithRetry } from "#client/base/api/request-with-retry.ts";
import { countOf } from "#client/base/format/count.ts";
import { connectAsDock, pauseCable } from "#client/base/live/cable.ts";
import { useSync } from "#client/base/live/connection.ts";
import { useSingleFlight } from "#client/base/live/single-flight.ts";
import { AppContext, usePage } from "#client/base/page/context.ts";
import { unknownOffsets } from "#client/base/page/page.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Note } from "#client/ui/note.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { say } from "#src/http/contract.ts";
import type { DockShowAnswer } from "#src/show/docks/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { sessionStateLabel } from "#src/show/sessions/contract.ts";
import { isAhead, numberOf } from "../running/on-stage.ts";
import { ShowContext, useShow } from "../running/show-context.ts";
import { BackToLobby } from "../running/way-back.tsx";
import { OwnCalls, PauseOrResume, pillOf, Stop } from "../session-deck.tsx";
import { Slot, Tray } from "../stage/slot.tsx";
import { EventDeck, OnAir } from "../stage/stage.tsx";
import { shownOf, useHotkeys } from "../stage/use-hotkeys.ts";
import { WhatNext } from "../stage/what-next.tsx";
import { listChecks } from "../start/checklist.tsx";
import { StartButton } from "../start/start-button.tsx";
import { fetchDock, useDockShow } from "./use-dock-show.ts";

// Decision: the key is behind the # of the address, so the server renders an empty page, and everything is asked for by that key. Who is
// signed in at this browser makes no difference.

/** The dock of a session: what is on air and its buttons, in 320 pixels, by the link alone. */
export function DockScreen() {
  const { slug = "" } = useParams();
  const key = useSyncExternalStore(
    followHash,
    () => globalThis.location.hash.slice(1),
    () => null,
  );
  if (key === null)
    return (
      <Message title="The dock opens.">
        <noscript>It needs JavaScript.</noscript>
      </Message>
    );
  return <Dock key={`${slug} ${key}`} slug={slug} secret={key} />;
}

function followHash(listener: () => void): () => void {
  globalThis.addEventListener("hashchange", listener);
  return () => globalThis.removeEventListener("hashchange", listener);
}

/** The API as the dock with this key: in a header of each request, and without the cookies of this browser. */
function createDockApi(key: string): Api {
  const send = (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${key}`);
    return requestWithRetry(fetch, path, { ...init, headers, credentials: "omit", cache: "no-store" });
  };
  return createApi({ inProcess: false, carry: overHttp({ csrfToken: "", send }) });
}

function Dock({ slug, secret }: { slug: string; secret: string }) {
  const page = usePage();
  const api = useMemo(() => createDockApi(secret), [secret]);
  const [first, setFirst] = useState<DockShowAnswer | null>(null);
  const [end, setEnd] = useState<string | null>(null);
  const ended = useCallback((text: string) => {
    pauseCable();
    setEnd(text);
  }, []);
  const open = useSingleFlight(async () => setFirst((await fetchDock(api, slug, ended)) ?? null), slug);
  useEffect(() => {
    connectAsDock(secret);
    open();
  }, [secret, open]);
  if (end !== null)
    return (
      <Message title="This dock runs no show.">
        <p>{end}</p>
        <button className="btn" type="button" onClick={() => globalThis.location.reload()}>
          Look again
        </button>
      </Message>
    );
  if (first === null) return <Message title="The dock opens." />;
  const app = { api, page: { ...page, viewer: first.maker, streamOffsets: unknownOffsets } };
  return (
    <AppContext value={app}>
      <Room api={api} slug={slug} first={first} ended={ended} />
    </AppContext>
  );
}

function Message({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <main className="dock" id="main">
      <EmptyState icon="slip" title={title}>
        {children}
      </EmptyState>
    </main>
  );
}

function Room(props: { api: Api; slug: string; first: DockShowAnswer; ended: (text: string) => void }) {
  const show = useDockShow(props);
  const { session, onStage, arming, acting } = show;
  useHotkeys(shownOf(session, onStage, arming.lost));
  return (
    <ShowContext value={show}>
      <main className="dock" id="main" tabIndex={-1} data-takes-keys="">
        <Head maker={props.first.maker.username} />
        <Connection />
        {acting.refusal === null ? null : <Note tone="bad">{acting.refusal}</Note>}
        {acting.answersAgain ? <Note>The server answers again. This shows what was done.</Note> : null}
        {onStage === null ? <Note>Nothing is in the running order.</Note> : <OnStage event={onStage} />}
      </main>
    </ShowContext>
  );
}

function Head({ maker }: { maker: string }) {
  const { session } = useShow();
  return (
    <header className="row wrap">
      <h1 className="clip">{session.name}</h1>
      <Pill {...pillOf(session.state)} text={sessionStateLabel(session.state)} />
      {session.state === "pending" ? (
        <Start />
      ) : (
        <>
          <PauseOrResume />
          <Stop />
          <BackToLobby />
        </>
      )}
      <OwnCalls />
      <p className="tiny ink2 num clip">
        {say`${countOf(session.playersOnline, "player")} here. Dock of ${maker}.`}
      </p>
    </header>
  );
}

/** What is to be looked at is changed in the control room. */
function Start() {
  const { session, events, planned } = useShow();
  const checks = listChecks({ session, events, planned, activeElsewhere: null });
  return (
    <StartButton
      checks={checks.map(({ name, tone, text }) => ({ name, tone, text }))}
      activeElsewhere={undefined}
    />
  );
}

/** The control room says it in its bar. */
function Connection() {
  const sync = useSync();
  const isAway = sync === "offline" || sync === "refused";
  return (
    <div role="status">
      {isAway ? <Note tone="warn">No connection. It comes back by itself.</Note> : null}
    </div>
  );
}

function OnStage({ event }: { event: EventView }) {
  return (
    <>
      <OnAir event={event} />
      <EventDeck event={event} />
      <Slot pace={null} />
      <Tray />
      <UpNext event={event} />
    </>
  );
}

function UpNext({ event }: { event: EventView }) {
  const { events } = useShow();
  const next = events.slice(numberOf(events, event)).find(isAhead);
  if (next === undefined) return null;
  return (
    <section className="panel pad stack" aria-label="Next">
      <h2 className="small">{say`Next: ${numberOf(events, next)}. ${next.title}`}</h2>
      <p className="small ink2 num">
        <WhatNext event={next} />
      </p>
    </section>
  );
}
