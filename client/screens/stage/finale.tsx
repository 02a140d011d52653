import { formatCount } from "#client/base/format/count.ts";
import { groupBy } from "#client/base/format/group-by.ts";
import { formatChange, formatShortMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { rankedBy } from "#client/leaderboard/rank-texts.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import { PODIUM_SIZE } from "#src/show/stage/contract.ts";
import type { Evening } from "#src/show/stage/schemas.ts";
import { Face } from "./face.tsx";
import { TeamsFinal } from "./team-board.tsx";
import { lengthOf } from "./text-width.ts";

/** So many names fit on one step. */
const NAMES_MAX = 3;

type FinaleProps = { leaders: readonly ScoreView[]; teams: readonly TeamView[]; evening: Evening | null };

/** At the end: the teams where there are some, the podium by questions won, and the figures of the evening. */
export function Finale({ leaders, teams, evening }: FinaleProps) {
  return (
    <div className="finale">
      <TeamsFinal teams={teams} />
      <section className="final-podium">
        <header>
          <h2>{words.theFirstThree}</h2>
          {leaders.length === 0 ? null : <p>{rankedBy}</p>}
        </header>
        {leaders.length === 0 ? <p>{words.nobodyHasWonYet}</p> : <Steps leaders={leaders} />}
      </section>
      {evening === null || evening.callsCount === 0 ? null : <Figures evening={evening} />}
    </div>
  );
}

/** A step for each of the first three ranks. Who shares a rank shares the step, and the next ranks are left out. */
function Steps({ leaders }: { leaders: readonly ScoreView[] }) {
  const onPodium = leaders.filter(({ rank }) => rank <= PODIUM_SIZE);
  // The list may end within a shared rank. More players than it has are on that step.
  const isCut = onPodium.length === leaders.length && leaders.at(-1)?.tied === true;
  const steps = [...groupBy(onPodium, ({ rank }) => rank)];
  return (
    <ol>
      {steps.map(([rank, players], index) => (
        <Step key={rank} rank={rank} players={players} isCut={isCut && index === steps.length - 1} />
      ))}
    </ol>
  );
}

function Step({ rank, players, isCut }: { rank: number; players: readonly ScoreView[]; isCut: boolean }) {
  const [first] = players;
  if (first === undefined) return null;
  // Two names more than fit are worth a line, one is not.
  const named = players.length > NAMES_MAX || isCut ? players.slice(0, NAMES_MAX - 1) : players;
  const others = players.length - named.length;
  return (
    <li className={`rank-${rank}`} data-shared={players.length > 1 ? "" : undefined} translate="no">
      <b className="num">
        <span>{rank}</span>
        {/* Beside the rank, so that the name has the whole width. */}
        {named.length === 1 ? <Face picture={first.avatar.small} username={first.username} /> : null}
      </b>
      <ul>
        {named.map(({ userId, username, avatar }) => (
          <li key={userId}>
            {named.length === 1 ? null : <Face picture={avatar.small} username={username} />}
            <bdi className="player-name" data-len={lengthOf(username, LONG_NAMES)}>
              {username}
            </bdi>
          </li>
        ))}
      </ul>
      {others === 0 ? null : (
        <span>{isCut ? `and at least ${formatCount(others)} more` : `and ${formatCount(others)} more`}</span>
      )}
      <span className="record">{`${first.wins} won, ${first.losses} lost`}</span>
      <span className="num net">{formatChange(first.netCents)}</span>
    </li>
  );
}

/** How wide a name may be in larger letters, in letters' heights. */
const LONG_NAMES = [6.8, 8.2] as const;

function Figures({ evening }: { evening: Evening }) {
  const { playersCount, eventsCount, callsCount, wageredCents, mostWon, longestStreak } = evening;
  return (
    <dl className="figures" translate="no">
      <Figure label={words.players} value={formatCount(playersCount)} />
      <Figure label="Questions" value={formatCount(eventsCount)} />
      <Figure label={words.calls} value={formatCount(callsCount)} />
      <Figure label="At stake" value={formatShortMoney(wageredCents)} />
      {mostWon === null ? null : (
        <Figure label="Most won" value={formatChange(mostWon.netCents)} player={mostWon.username} />
      )}
      {longestStreak === null ? null : (
        <Figure
          label="Longest streak"
          value={`${formatCount(longestStreak.length)} in a row`}
          player={longestStreak.username}
        />
      )}
    </dl>
  );
}

function Figure({ label, value, player }: { label: string; value: string; player?: string }) {
  return (
    <div className={player === undefined ? "figure" : "figure of-player"}>
      <dt>{label}</dt>
      <dd>
        <b className="num">{value}</b>
        {player === undefined ? null : <bdi>{player}</bdi>}
      </dd>
    </div>
  );
}
