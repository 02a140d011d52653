import { countOf } from "#client/base/format/count.ts";
import { formatChange } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useView } from "#client/events/view.ts";
import { formatRank, rankChangeText } from "#client/leaderboard/rank-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { Face } from "./face.tsx";
import { lengthOf, widthOf } from "./text-width.ts";

const BETWEEN = 5;
const BESIDE = 3;
/** How wide a name beside the question may be in larger letters, in letters' heights. */
const LONG_NAME = 6.5;
/** The same between the questions, and in the smaller ones. */
const LONG_BETWEEN = [8, 10.5] as const;

/** The leaders, and how far the last result has moved each of them. */
export function Leaders() {
  const { leaders, playersCount } = useView().state;
  return (
    <div className="leaders">
      {leaders.length === 0 ? (
        <p>{words.nobodyHasWonYet}</p>
      ) : (
        <ol>
          {leaders.slice(0, BETWEEN).map((score) => (
            <li key={score.userId} className={`rank-${score.rank}`} translate="no">
              <b className="num">{formatRank(score)}</b>
              <Face picture={score.avatar.small} username={score.username} />
              <bdi className="player-name" data-len={lengthOf(score.username, LONG_BETWEEN)}>
                {score.username}
              </bdi>
              <Moved ranks={score.rankChange} />
              <span className="num net">{formatChange(score.netCents)}</span>
            </li>
          ))}
        </ol>
      )}
      {playersCount > BETWEEN ? (
        <p className="of-players num" translate="no">
          {`of ${countOf(playersCount, "player")}`}
        </p>
      ) : null}
    </div>
  );
}

/** "up 2" as an arrow and a number. */
function Moved({ ranks }: { ranks: ScoreView["rankChange"] }) {
  const text = rankChangeText(ranks);
  if (ranks === null || ranks === 0) return <span className="moved still">{text}</span>;
  return (
    <span className={ranks > 0 ? "moved up" : "moved"}>
      <Icon name={ranks > 0 ? "up" : "down"} />
      <span className="vh">{text}</span>
      <span className="num" aria-hidden="true">
        {Math.abs(ranks)}
      </span>
    </span>
  );
}

export function LeadersBeside() {
  const { leaders } = useView().state;
  if (leaders.length === 0) return null;
  return (
    <section className="podium">
      <h2>{words.leaders}</h2>
      <ol>
        {leaders.slice(0, BESIDE).map((score) => (
          <li key={score.userId} translate="no">
            <b className="num">{formatRank(score)}</b>
            <bdi className="player-name" data-len={widthOf(score.username) > LONG_NAME ? "long" : undefined}>
              {score.username}
            </bdi>
            <span className="num net">{formatChange(score.netCents)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
