import { useEffect, useRef, useState } from "react";
import { listen } from "#client/base/live/cable.ts";
import { usePage } from "#client/base/page/context.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";

type Source = {
  sessionId: number;
  /** Loads the teams again, after messages were missed. */
  reload: () => void;
};

/** The teams as loaded, with their scores from the messages about the leaders, which bring them along. */
export function useLiveTeams(loaded: TeamsAnswer, { sessionId, reload }: Source): TeamsAnswer {
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
