import { useEffect, useMemo, useState } from "react";
import { Link } from "react-router";
import { type Api, endingWith } from "#client/base/api/api.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatChange } from "#client/base/format/money.ts";
import { formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { CardMeta } from "#client/card/card-meta.tsx";
import { cardTitle, LateResultBar } from "#client/card/event-card.tsx";
import type { NextStart } from "#client/events/load-action.ts";
import { useView, type View } from "#client/events/view.ts";
import { formatRank, placeOf } from "#client/leaderboard/rank-texts.ts";
import { BrandBand } from "#client/sessions/brand-band.tsx";
import { RemindLink } from "#client/sessions/remind-link.tsx";
import { ShareButton } from "#client/share/share-button.tsx";
import { shareButtonText } from "#client/share/share-texts.ts";
import { WatcherRow } from "#client/sign-ins/watcher-row.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { KeepLink } from "#client/wallet/keep-link.tsx";
import { say } from "#src/http/contract.ts";
import { drawCurve, sumUpCalls } from "#src/shares/contract.ts";
import { HowItEnded } from "./how-it-ended.tsx";

const SIZE = { width: 240, height: 48 };
const EDGE = 6;

const PLANNED_MAX = 100;

/** The end of a session; see end-of-session.tsx. */
export const endParts = { End };

/** After a session: how it ended, and what can be done, in the rows of the live screen. */
export function End() {
  return (
    <>
      <div className="card-slot" id="main" tabIndex={-1}>
        <EndCard />
      </div>
      <div className="hand">
        <EndActions />
      </div>
    </>
  );
}

/** What can be done after a session, in the rows of the wager and of the sides, which are as high as before. */
function EndActions() {
  return useView().watching ? (
    <>
      <WatcherRow />
      <div className="sides" />
    </>
  ) : (
    <>
      <div className="wager end-share">
        <Share />
      </div>
      <div className="sides">
        <Onward />
      </div>
    </>
  );
}

/** Only who has a result has something to share. The list of sessions is for accounts; a guest enters another one by its code. */
function Share() {
  const { session } = useView().state;
  const guest = useViewer()?.guest === true;
  if (useOwnSum().curveCents.length === 0) {
    return (
      <Link className="btn primary wide" to={guest ? "/join" : "/sessions"}>
        {guest ? words.haveACode : "All sessions"}
      </Link>
    );
  }
  return (
    <ShareButton kind="session" targetId={session.id} className="btn primary wide">
      {shareButtonText("session")}
    </ShareButton>
  );
}

/** For a guest, what an account keeps comes first; for a host, the sheet. */
function Onward() {
  const { session, me } = useView().state;
  const { id, slug } = session;
  const viewer = useViewer();
  const isHost = viewer !== null && rolesIn(viewer, id).includes("admin");
  if (viewer?.guest === true) {
    return (
      <KeepLink className="btn you end-link all" rank={me === null ? null : formatRank(me)}>
        <span className="small">Create an account: one form, 20 seconds.</span>
      </KeepLink>
    );
  }
  return (
    <>
      <Link className="btn end-link" to={`/sessions/${slug}/leaders`}>
        Full leaders
      </Link>
      {isHost ? (
        <a className="btn end-link" href={`/api/v1/sessions/${slug}/results.xlsx`} download>
          Results sheet
        </a>
      ) : (
        <Link className="btn end-link" to={`/sessions/${slug}/history`}>
          My history
        </Link>
      )}
    </>
  );
}

/** The card after the session: the first three, the viewer's own session in numbers, and when the next one starts. */
function EndCard() {
  const title = cardTitle(useView());
  return (
    <article className="card" aria-label={title}>
      <div className="card-in">
        <CardMeta />
        <h1 className="card-q">{title}</h1>
        {/* On the smallest screens it is scrolled, also by keyboard. */}
        <section className="session-end" aria-label="How it ended" tabIndex={0}>
          <HowItEnded />
          <OwnSession />
          <Brand />
        </section>
        <Next />
        {/* A result that came while the phone was locked. */}
        <LateResultBar />
      </div>
    </article>
  );
}

function Brand() {
  const { name, settings } = useView().state.session;
  return <BrandBand className="small" brand={settings.brand} name={name} />;
}

/** The viewer's calls in numbers, in the order in which they were placed. */
function useOwnSum() {
  const { events } = useView().state;
  return useMemo(() => {
    const calls = events.flatMap(({ myCalls }) => myCalls);
    return sumUpCalls(calls.toSorted((one, other) => one.id - other.id));
  }, [events]);
}

function OwnSession() {
  const { watching, state } = useView();
  const { netCents, curveCents, best } = useOwnSum();
  if (curveCents.length === 0) {
    return (
      <p className="small ink2">
        {watching
          ? "You watched this one. Join the next in one tap, no account."
          : "You made no call this time. The next session starts even for all."}
      </p>
    );
  }
  return (
    <>
      <div className="own-end">
        <dl className="facts">
          {state.me === null ? null : (
            <div>
              <dt>Your place</dt>
              <dd className="num">{placeOf(state.me, state.playersCount)}</dd>
            </div>
          )}
          <div>
            <dt>Your net</dt>
            <dd className="num">{formatChange(state.me?.netCents ?? netCents)}</dd>
          </div>
        </dl>
        <Curve curveCents={curveCents} />
      </div>
      {best === null ? null : (
        <p className="small best">
          <span className="ink2">Best call</span> <b>{say`${formatChange(best.netCents)} · ${best.title}`}</b>
        </p>
      )}
    </>
  );
}

/** The row in which the viewer's call was: the session to go to, or when the next one starts, and a way to be reminded of it. */
function Next() {
  const { nextSession } = useView().state;
  const next = useNextStart();
  return (
    <div className="mine">
      <Icon name="clock" />
      <span className="clip">
        {nextSession === null ? <NextStartLine next={next} /> : say`${nextSession.name} is live`}
      </span>
      {nextSession === null ? <Remind next={next} /> : <Join next={nextSession} />}
    </div>
  );
}

function Join({ next }: { next: NonNullable<View["state"]["nextSession"]> }) {
  return (
    <Link className="act" to={`/sessions/${next.slug}`}>
      {words.join}
    </Link>
  );
}

type NextProps = { next: ReturnType<typeof useNextStart> };

function Remind({ next }: NextProps) {
  return next == null ? null : <RemindLink className="act" session={next} />;
}

function NextStartLine({ next }: NextProps) {
  const zone = useTimeZone();
  if (next === undefined) return "The next session appears here.";
  if (next === null) return "No next session is planned yet.";
  return <time dateTime={next.startsAt}>{say`Next ${formatMoment(next.startsAt, zone)}: ${next.name}`}</time>;
}

/** The viewer's net over the session as steps, with a line at zero. Screen readers get the numbers. */
function Curve({ curveCents }: { curveCents: readonly number[] }) {
  const { steps, zeroY, end } = drawCurve(curveCents, SIZE);
  const [net, highest, lowest] = [
    curveCents.at(-1) ?? 0,
    Math.max(0, ...curveCents),
    Math.min(0, ...curveCents),
  ].map(formatChange);
  const label = `Your net over ${countOf(curveCents.length, "question")}: ends at ${net}, highest ${highest}, lowest ${lowest}`;
  return (
    <svg
      className="plot curve"
      viewBox={`${-EDGE} ${-EDGE} ${SIZE.width + 2 * EDGE} ${SIZE.height + 2 * EDGE}`}
      role="img"
      aria-label={label}
    >
      <path className="grid" d={`M0 ${zeroY}H${SIZE.width}`} />
      <path className="steps" d={steps} />
      <circle cx={end.x} cy={end.y} r="5" />
    </svg>
  );
}

/**
 * The next planned session. The server brings it with the page of a session that is over; a page on which the session has just
 * ended fetches it.
 * @returns null if none is planned; undefined while it is not known, and for signed-out viewers, who read no sessions.
 */
function useNextStart(): NextStart | null | undefined {
  const { data, watching } = useView();
  const api = useApi();
  const [fetched, setFetched] = useState<NextStart | null>();
  const isMissing = data.next === undefined && !watching;
  useEffect(() => {
    if (!isMissing) return;
    const leaving = new AbortController();
    findNextStart(endingWith(leaving.signal, api), serverNow()).then(
      setFetched,
      // Then the line keeps what it says without it.
      () => undefined,
    );
    return () => leaving.abort();
  }, [api, isMissing]);
  return data.next === undefined ? fetched : data.next;
}

/** The planned session that starts first; null if none is planned. @param nowMs the server's time, in milliseconds. */
async function findNextStart(api: Api, nowMs: number): Promise<NextStart | null> {
  const query = { state: "pending", perPage: PLANNED_MAX };
  const { sessions } = await api.get("/api/v1/sessions", { query });
  const planned = sessions.flatMap(({ slug, name, startsAt }) =>
    startsAt !== null && Date.parse(startsAt) > nowMs ? [{ slug, name, startsAt }] : [],
  );
  const [first] = planned.toSorted((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
  return first ?? null;
}
