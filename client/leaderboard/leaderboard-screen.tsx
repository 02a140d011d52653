import { useLoaderData } from "react-router";
import { usePage } from "../context.ts";
import { Pagination } from "../ui/pagination.tsx";
import { BoardView } from "./board-view.tsx";
import type { BoardData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";
import { useLiveBoard } from "./use-live-board.ts";

/** Who has called it most often, over all sessions. The session that is active tells when something has changed. */
export function LeaderboardScreen() {
  const data = useLoaderData<BoardData>();
  const board = useLiveBoard(data.board, usePage().activeSession?.id ?? null);
  return (
    <BoardView title="Leaderboard" slug={null} data={data} board={board} actions={<Scope slug={null} />}>
      {board.meta === null ? null : <Pagination meta={board.meta} />}
    </BoardView>
  );
}
