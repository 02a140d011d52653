import { Link, useLoaderData, useParams } from "react-router";
import { useHere } from "../frame/use-here.ts";
import { countOf } from "../ui/count.ts";
import { Pagination } from "../ui/pagination.tsx";
import { BoardView } from "./board-view.tsx";
import type { Board, BoardData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";
import { useLiveBoard } from "./use-live-board.ts";

/** Who has called it most often in this session: the first, or a page of all. */
export function LeadersScreen() {
  const data = useLoaderData<BoardData>();
  const board = useLiveBoard(data.board, useHere().session?.id ?? null);
  const { slug = null } = useParams();
  return (
    <BoardView title="Leaders" slug={slug} data={data} board={board} actions={<Scope slug={slug} />}>
      <Rest board={board} />
    </BoardView>
  );
}

function Rest({ board: { meta, scores, totalCount } }: { board: Board }) {
  if (meta === null) {
    return totalCount > scores.length ? (
      <p className="small">
        <Link to="?page=1">All {countOf(totalCount, "player")}</Link>
      </p>
    ) : null;
  }
  return (
    <div className="row wrap">
      <Pagination meta={meta} />
      <Link className="small" to="?">
        Only the first
      </Link>
    </div>
  );
}
