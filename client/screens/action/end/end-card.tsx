import { useMemo } from "react";
import { Link } from "react-router";
import { formatChange } from "#client/base/format/money.ts";
import { formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { CardMeta } from "#client/card/card-meta.tsx";
import { cardTitle } from "#client/card/event-card.tsx";
import { useView, type View } from "#client/events/view.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { LateResultBar } from "#client/results/late-result-bar.tsx";
import { BrandBand } from "#client/sessions/brand-band.tsx";
import { RemindLink } from "#client/sessions/remind-link.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { sumUpCalls } from "#src/shares/contract.ts";
import { Curve } from "./curve.tsx";
import { EndRow } from "./end-row.tsx";
import { EndTeams } from "./end-teams.tsx";
import { endTexts } from "./end-texts.ts";
import { useNextStart } from "./use-next-start.ts";

const PODIUM_RANKS = 3;

/** The card after the session: the first three, the viewer's own session in numbers, and when the next one starts. */
export function EndCard() {
  const title = cardTitle(useView());
  return (
    <article className="card" aria-label={title}>
      <div className="card-in">
        <CardMeta />
        <h1 className="card-q">{title}</h1>
        {/* On the smallest screens it is scrolled, also by keyboard. */}
        <section className="session-end" aria-label={endTexts.region} tabIndex={0}>
          <EndTeams />
          <Podium />
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

function Podium() {
  const { leaders, me } = useView().state;
  const first = leaders.slice(0, PODIUM_RANKS);
  if (first.length === 0) return <p className="say fit">{endTexts.nobody}</p>;
  return (
    <ol className="list" aria-label={endTexts.podium}>
      {first.map((score) => (
        <EndRow
          key={score.userId}
          rank={score}
          name={score.username}
          mine={score.userId === me?.userId}
          record={endTexts.record(score.wins, score.losses)}
          amountCents={score.netCents}
        />
      ))}
    </ol>
  );
}

/** The viewer's calls in numbers, in the order in which they were placed. */
export function useOwnSum() {
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
    return <p className="small ink2">{watching ? endTexts.watched : endTexts.noCall}</p>;
  }
  return (
    <>
      <div className="own-end">
        <dl className="facts">
          {state.me === null ? null : (
            <div>
              <dt>{endTexts.place}</dt>
              <dd className="num">
                <span>{formatRank(state.me)}</span>
                <span className="small ink2">{endTexts.ofPlayers(state.playersCount)}</span>
              </dd>
            </div>
          )}
          <div>
            <dt>{endTexts.net}</dt>
            <dd className="num">{formatChange(state.me?.netCents ?? netCents)}</dd>
          </div>
        </dl>
        <Curve curveCents={curveCents} />
      </div>
      {best === null ? null : (
        <p className="small best">
          <span className="ink2">{endTexts.best}</span>{" "}
          <b>{endTexts.bestCall(formatChange(best.netCents), best.title)}</b>
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
        {nextSession === null ? <NextStart next={next} /> : endTexts.live(nextSession.name)}
      </span>
      {nextSession === null ? <Remind next={next} /> : <Join next={nextSession} />}
    </div>
  );
}

function Join({ next }: { next: NonNullable<View["state"]["nextSession"]> }) {
  return (
    <Link className="act" to={`/sessions/${next.slug}`}>
      {endTexts.join}
    </Link>
  );
}

type NextProps = { next: ReturnType<typeof useNextStart> };

function Remind({ next }: NextProps) {
  return next == null ? null : <RemindLink className="act" session={next} />;
}

function NextStart({ next }: NextProps) {
  const zone = useTimeZone();
  if (next === undefined) return endTexts.nextUnknown;
  if (next === null) return endTexts.noNext;
  return <time dateTime={next.startsAt}>{endTexts.next(next.name, formatMoment(next.startsAt, zone))}</time>;
}
