import { formatCount } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useView } from "#client/events/view.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import type { Arrivals } from "#src/show/stage/schemas.ts";
import { Face } from "./face.tsx";
import { type Arrived, nameBoardOf } from "./name-board.ts";
import * as texts from "./stage-texts.ts";
import { TeamsFilling } from "./team-board.tsx";

/** How long a page of names is shown where they do not all fit. */
const PAGE_MS = 6_000;

/** Before the start: when it starts, how many have come, the teams as they fill, and the names. */
export function Lobby({ arrivals, teams }: { arrivals: Arrivals | null; teams: readonly TeamView[] }) {
  return (
    <div className="lobby">
      <StartsIn />
      <section className="arrivals" aria-label={texts.whoIsIn}>
        {/* A new one for each number: words that make room for a digit would be seen to jump. */}
        <p key={arrivals?.count} className="how-many" translate="no">
          {arrivals === null || arrivals.count === 0 ? (
            texts.beTheFirst
          ) : (
            <>
              <b className="num">{formatCount(arrivals.count)}</b> <span>{texts.areIn(arrivals.count)}</span>
            </>
          )}
        </p>
        <TeamsFilling teams={teams} />
        {arrivals === null || arrivals.count === 0 ? <HowToPlay /> : <Names players={arrivals.players} />}
      </section>
    </div>
  );
}

function HowToPlay() {
  return (
    <ol className="how-to">
      {texts.howToPlay.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

function StartsIn() {
  const { state, data } = useView();
  const startsAtMs = Date.parse(state.session.startsAt ?? "");
  const left = useServerTime(
    (nowMs) => (startsAtMs > nowMs ? minutes(startsAtMs - nowMs) : ""),
    data.serverTime,
  );
  if (left === "")
    return <p className="starts">{Number.isNaN(startsAtMs) ? texts.startsByHand : texts.startsAnyMoment}</p>;
  return (
    <p className="starts" role="timer" aria-label={texts.startsInSpoken(left)} translate="no">
      <span aria-hidden="true">
        {texts.startsIn} <b className="num">{left}</b>
      </span>
    </p>
  );
}

function Names({ players }: { players: readonly Arrived[] }) {
  const { data } = useView();
  const { size, pages, newest } = nameBoardOf(players);
  const at = useServerTime(
    (nowMs) => Math.floor(nowMs / PAGE_MS) % Math.max(1, pages.length),
    data.serverTime,
  );
  const shown = pages[at] ?? [];
  return (
    <div className="names" data-size={size}>
      {newest.length === 0 ? null : (
        // A new list for each newcomer: names that make room would be seen to jump.
        <ul key={newest[0]?.userId} className="newest" aria-label={texts.justCame}>
          <NameItems players={newest} />
        </ul>
      )}
      <ul key={`${size} ${at}`}>
        <NameItems players={shown} />
      </ul>
    </div>
  );
}

function NameItems({ players }: { players: readonly Arrived[] }) {
  return players.map(({ userId, username, picture }) => (
    <li key={userId} translate="no">
      <Face picture={picture} username={username} />
      <bdi>{username}</bdi>
    </li>
  ));
}
