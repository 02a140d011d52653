import { formatChange } from "../ui/money.ts";
import { useView } from "./view.ts";

const PODIUM_PLACES = 3;

/** The end of a session: the first three, and how the viewer did. */
export function Podium() {
  const { table } = useView();
  const first = table.leaders.slice(0, PODIUM_PLACES);
  const { me } = table;
  return (
    <div className="stage podium">
      {first.length === 0 ? (
        <p className="say">Nobody won or lost this time.</p>
      ) : (
        <ol className="list">
          {first.map((score) => (
            <li key={score.userId} className={score.userId === me?.userId ? "dense me" : "dense"}>
              <span className="strong num rank">{score.tied ? `=${score.rank}` : score.rank}</span>
              <span className="grow clip">{score.username}</span>
              <span className="small">{`${score.wins} won, ${score.losses} lost`}</span>
            </li>
          ))}
        </ol>
      )}
      {me === null ? null : (
        <p className="small ink2">
          {`You: ${me.wins} won, ${me.losses} lost, net ${formatChange(me.netCents)}, rank ${me.rank} of ${table.playersCount}`}
        </p>
      )}
    </div>
  );
}
