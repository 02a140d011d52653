import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "#client/base/api/api.ts";
import { useApi } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import { refetchDelayMs } from "#client/leaderboard/refetch-delay.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { refusalText } from "#client/ui/forms/refused.ts";
import { showToast } from "#client/ui/toast.tsx";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { teamsTexts } from "./phone-texts.ts";

export type OwnTeams = { answer: TeamsAnswer; choose: (number: number) => void };

/**
 * The teams of the session and the viewer's own, which is settled by the first call; null in a session without teams. They are fetched
 * once the page is used, and again when the viewer has made a first call or got a first result: from then on the team stays.
 */
export function useTeams(): OwnTeams | null {
  const { session, events, me, playersCount } = useView().state;
  const { slug, settings } = session;
  const api = useApi();
  const [answer, setAnswer] = useState<TeamsAnswer | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const reload = useCallback(() => {
    api.get("/api/v1/scores/teams", { query: { sessionId: slug } }).then(
      setAnswer,
      // The next change fetches again.
      () => undefined,
    );
  }, [api, slug]);
  const isTeamed = "teams" in settings && settings.teams.length > 0;
  const isKnown = useRef(false);
  const isMine = events.some(({ myCalls }) => myCalls.length > 0);
  const changes = JSON.stringify([settings.teams, isMine, me !== null]);
  const crowd = useRef(playersCount);
  useEffect(() => {
    crowd.current = playersCount;
  });
  useEffect(() => {
    if (!isTeamed) return;
    // The first result comes to all pages at the same moment.
    const delayMs = isKnown.current ? refetchDelayMs(crowd.current, Math.random()) : 0;
    isKnown.current = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, delayMs);
  }, [isTeamed, changes, reload]);
  const choose = (number: number) => {
    api.put(`${sessionPath(slug)}/team`, { team: { number } }).then(reload, (error: unknown) => {
      const text = error instanceof ApiError ? refusalText(error) : teamsTexts.notChosen;
      showToast({ icon: "warning", text, urgent: true });
    });
  };
  return answer === null || answer.teams.length === 0 ? null : { answer, choose };
}
