import { formatChange } from "#client/base/format/money.ts";
import { useView } from "#client/events/view.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { PODIUM_SIZE } from "#src/show/stage/contract.ts";
import * as texts from "./stage-texts.ts";

/** The first three of the session. */
export function Podium() {
  const { state, phase } = useView();
  const first = state.leaders.slice(0, PODIUM_SIZE);
  if (phase === "pending") return null;
  return (
    <section className="podium">
      <h2>{phase === "stopped" ? texts.finalLeaders : texts.leaders}</h2>
      {first.length === 0 ? (
        <p>{texts.nobodyYet}</p>
      ) : (
        <ol>
          {first.map((score) => (
            <li key={score.userId} className={`rank-${score.rank}`}>
              <b className="num">{formatRank(score)}</b>
              <span className="player-name" translate="no">
                {score.username}
              </span>
              <span className="record">{texts.record(score.wins, score.losses)}</span>
              <span className="num net" translate="no">
                {formatChange(score.netCents)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
