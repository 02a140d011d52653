import { useLoaderData, useParams } from "react-router";
import type { LeadersAnswer } from "#src/leaderboard/contract.ts";
import { PageLayout } from "../ui/page-layout.tsx";
import { Scope } from "./scope.tsx";
import { ScoreTable } from "./score-table.tsx";

/** Who has called it most often in this session. */
export function LeadersScreen() {
  const { leaders, me } = useLoaderData<LeadersAnswer>();
  const { slug = null } = useParams();
  return (
    <PageLayout title="Leaders" actions={<Scope slug={slug} />}>
      <ScoreTable scores={leaders} me={me} />
    </PageLayout>
  );
}
