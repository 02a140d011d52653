import { type ReactNode, useEffect, useRef, useState } from "react";
import { useActionData } from "react-router";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import type { Board, BoardData } from "./load-leaders.ts";
import { ManageBoard } from "./manage-board.tsx";
import type { Managed } from "./manage-leaders.ts";
import { rankOf, ScoreTable } from "./score-table.tsx";

type BoardViewProps = {
  title: string;
  /** The session's slug; null: all sessions. */
  slug: string | null;
  data: BoardData;
  /** As it stands now. */
  board: Board;
  actions: ReactNode;
  /** What stands below the table. */
  children?: ReactNode;
};

/** A table of ranks, why the viewer is not in it, and for admins what can be done about it. */
export function BoardView({ title, slug, data, board, actions, children }: BoardViewProps) {
  const managed = useActionData<Managed>();
  const table = (
    <div className="stack wide">
      {board.exclusion === null ? null : (
        <Note tone="warn">You are not ranked here: {board.exclusion.reason}</Note>
      )}
      <ScoreTable board={board} />
      {children}
      <OwnRank board={board} />
    </div>
  );
  return (
    <PageLayout title={title} actions={actions}>
      {data.exclusions === null ? (
        table
      ) : (
        <div className="split">
          {table}
          <ManageBoard slug={slug} scores={board.scores} exclusions={data.exclusions} managed={managed} />
        </div>
      )}
    </PageLayout>
  );
}

/** Says to those who do not look that the viewer's rank is another one now. */
function OwnRank({ board: { me, totalCount } }: { board: Board }) {
  const rank = me === null ? null : rankOf(me);
  const known = useRef(rank);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (rank !== null && known.current !== null && rank !== known.current) {
      setSaid(`Your rank is now ${rank} of ${totalCount}.`);
    }
    known.current = rank;
  }, [rank, totalCount]);
  return (
    <p className="heard" aria-live="polite">
      {said}
    </p>
  );
}
