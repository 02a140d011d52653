import { useEffect, useRef, useState } from "react";
import { Form, useActionData, useRevalidator } from "react-router";
import { listen } from "#client/base/live/cable.ts";
import { usePage, useViewer } from "#client/base/page/context.ts";
import { CHOOSE_TEAM, TeamsPanel } from "#client/teams/team-list.tsx";
import * as texts from "#client/teams/teams-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { ManageResult } from "./manage-leaders.ts";

type LeadersTeamsProps = {
  sessionId: number;
  answer: TeamsAnswer;
  /** The ranked players that the page shows. */
  players: readonly ScoreView[];
};

/** The teams of the session below its players. Players choose theirs here, and hosts move a player. */
export function LeadersTeams({ sessionId, answer, players }: LeadersTeamsProps) {
  const { revalidate } = useRevalidator();
  const live = useLiveTeams(answer, { sessionId, reload: () => void revalidate() });
  const result = useActionData<ManageResult>();
  const viewer = useViewer();
  const isHost = viewer !== null && rolesIn(viewer, sessionId).includes("admin");
  if (isHost)
    return (
      <div className="split">
        <TeamsPanel answer={live} />
        {players.length === 0 ? null : <MovePlayer answer={live} players={players} />}
      </div>
    );
  return (
    <>
      {result !== undefined && "refusal" in result ? <Note tone="bad">{result.refusal}</Note> : null}
      <TeamsPanel answer={live} />
    </>
  );
}

/** For hosts: moves a player to another team. */
function MovePlayer({ answer: { teams }, players }: Omit<LeadersTeamsProps, "sessionId">) {
  const inOrder = teams.toSorted((one, other) => one.number - other.number);
  return (
    <Panel title={texts.movePlayer}>
      <Form className="stack body" method="post" preventScrollReset>
        <CsrfField />
        <Choice
          id="moved-player"
          label={texts.player}
          name="user_id"
          options={players.map(({ userId, username }) => ({ value: String(userId), label: username }))}
        />
        <Choice
          label={texts.team}
          name="number"
          options={inOrder.map(({ number, name }) => ({ value: String(number), label: name }))}
        />
        <Submit className="btn" intent={CHOOSE_TEAM}>
          {texts.move}
        </Submit>
      </Form>
    </Panel>
  );
}

type Source = {
  sessionId: number;
  /** Loads the teams again, after messages were missed. */
  reload: () => void;
};

/** The teams as loaded, with their scores from the messages about the leaders, which bring them along. */
function useLiveTeams(loaded: TeamsAnswer, { sessionId, reload }: Source): TeamsAnswer {
  const { cableUrl, streamOffsets } = usePage();
  const offset = streamOffsets.session?.id === sessionId ? streamOffsets.session : null;
  const [heard, setHeard] = useState<{ loaded: TeamsAnswer; teams: TeamsAnswer["teams"] } | null>(null);
  const latest = useRef({ loaded, reload });
  useEffect(() => {
    latest.current = { loaded, reload };
  });
  useEffect(
    () =>
      listen(
        cableUrl,
        { channel: "SessionsChannel", id: String(sessionId), offset },
        {
          missed: () => latest.current.reload(),
          received: (message) => {
            if (message.sourceType !== "Score" || message.detail.teams === undefined) return;
            setHeard({ loaded: latest.current.loaded, teams: message.detail.teams });
          },
        },
      ),
    [cableUrl, sessionId, offset],
  );
  // Newly loaded data replaces what the messages have brought.
  return heard?.loaded === loaded ? { ...loaded, teams: heard.teams } : loaded;
}
