import { Link } from "react-router";
import { formatChange } from "#client/base/format/money.ts";
import { useViewer } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import { formatRank, rankChangeText } from "#client/leaderboard/rank-texts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { Icon } from "#client/ui/icon.tsx";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { BottomSheet } from "./bottom-sheet.tsx";
import { OwnTeamsList } from "./own-teams.tsx";
import { leadersTexts } from "./phone-texts.ts";
import { useTeams } from "./use-teams.ts";

const PODIUM = 3;

/** The leaders of the session on a phone, as they change: the first three, the others, and the viewer's own row, which stays in sight. */
export function LeadersSheet() {
  const { leaders, me, playersCount } = useView().state;
  const teams = useTeams();
  const below = me !== null && !leaders.some(({ userId }) => userId === me.userId);
  return (
    <BottomSheet
      name="leaders"
      title={leadersTexts.title}
      aside={<span className="small ink2 num">{leadersTexts.ofPlayers(playersCount)}</span>}
    >
      <div className="bottom-sheet-body" tabIndex={0} role="region" aria-label={leadersTexts.title}>
        {teams === null ? null : <OwnTeamsList {...teams} />}
        {leaders.length === 0 ? <p className="small ink2 nothing">{leadersTexts.none}</p> : null}
        <ol className="podium-three" aria-label={leadersTexts.first}>
          {/* A row stays where it is, and its content changes: nothing moves under the thumb. */}
          {leaders.slice(0, PODIUM).map((score, index) => (
            <PodiumPlace key={`place-${index + 1}`} score={score} mine={score.userId === me?.userId} />
          ))}
        </ol>
        <ol className="list" aria-label={leadersTexts.others}>
          {leaders.slice(PODIUM).map((score, index) => (
            <Row key={`row-${index + 1}`} score={score} mine={score.userId === me?.userId} />
          ))}
          {below ? <Row score={me} mine /> : null}
        </ol>
      </div>
      <Foot ranked={me !== null} playersCount={playersCount} />
    </BottomSheet>
  );
}

type RowProps = { score: ScoreView; mine: boolean };

function PodiumPlace({ score, mine }: RowProps) {
  const { username, avatar, wins, losses, netCents } = score;
  return (
    <li className={mine ? "me" : undefined}>
      <Avatar name={username} avatar={avatar} size="lg" />
      <b className="rank num">{formatRank(score)}</b>
      <b className="clip" translate="no">
        {mine ? leadersTexts.you(username) : username}
      </b>
      <span className="small">{leadersTexts.record(wins, losses)}</span>
      <span className="small num" translate="no">
        {formatChange(netCents)}
      </span>
    </li>
  );
}

function Row({ score, mine }: RowProps) {
  const { username, wins, losses, netCents, rankChange } = score;
  return (
    <li className={mine ? "dense me" : "dense"}>
      <b className="rank num">{formatRank(score)}</b>
      <span className="grow">
        <span className={mine ? "clip strong" : "clip"} translate="no">
          {mine ? leadersTexts.you(username) : username}
        </span>
        <span className="tiny ink2 row nowrap">
          {rankChange ? <Icon name={rankChange > 0 ? "up" : "down"} size="s" /> : null}
          <span>{rankChangeText(rankChange)}</span>
        </span>
      </span>
      <span className="small">{leadersTexts.record(wins, losses)}</span>
      <span className="small num strong amount-end end" translate="no">
        {formatChange(netCents)}
      </span>
    </li>
  );
}

/** Why the viewer has no rank, and the way to the full list, which guests cannot open. */
function Foot({ ranked, playersCount }: { ranked: boolean; playersCount: number }) {
  const { state, data } = useView();
  const guest = useViewer()?.guest === true;
  const { exclusion } = data.leaders;
  const why = exclusion === null ? leadersTexts.noRank : leadersTexts.notRanked(exclusion.reason);
  return (
    <footer>
      {ranked ? null : <p className="small ink2">{why}</p>}
      {guest || playersCount === 0 ? null : (
        <Link className="btn wide" to={`/sessions/${state.session.slug}/leaders`}>
          {leadersTexts.all(playersCount)}
        </Link>
      )}
    </footer>
  );
}
