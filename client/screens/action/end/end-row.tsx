import { formatChange } from "#client/base/format/money.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";

type EndRowProps = {
  rank: Parameters<typeof formatRank>[0];
  name: string;
  mine: boolean;
  record: string;
  amountCents: number;
};

/** A player or a team among the first three. */
export function EndRow({ rank, name, mine, record, amountCents }: EndRowProps) {
  return (
    <li className={mine ? "dense me" : "dense"}>
      <span className="strong num rank">{formatRank(rank)}</span>
      <span className={mine ? "grow clip strong" : "grow clip"} translate="no">
        {name}
      </span>
      <span className="small">{record}</span>
      <span className="num small strong end-net" translate="no">
        {formatChange(amountCents)}
      </span>
    </li>
  );
}
