import { useCallback, useEffect, useState } from "react";
import { ApiError } from "#client/base/api/api.ts";
import { listen } from "#client/base/live/cable.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { useApi, usePage } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { refusalText } from "#client/ui/forms/refused.ts";
import type { ReactionKind } from "#db/lists/reactions.ts";

/** Counts are shown this long, and older ones, which a page gets after it was disconnected, are not. */
const SHOWN_MS = 6_000;

export type ReactionCounts = Partial<Record<ReactionKind, number>>;

/** The newest counts of the session's reactions; null when there were none for a while. */
export function useReactionCounts(sessionId: number): ReactionCounts | null {
  const { cableUrl } = usePage();
  const [counts, setCounts] = useState<ReactionCounts | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(sessionId), offset: null },
      {
        missed: () => undefined,
        received: (message) => {
          if (message.sourceType !== "Reaction") return;
          const { detail } = message;
          if (serverNow() - Date.parse(detail.serverTime) > SHOWN_MS) return;
          clearTimeout(timer);
          timer = setTimeout(() => setCounts(null), SHOWN_MS);
          setCounts(detail.counts);
        },
      },
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [cableUrl, sessionId]);
  return counts;
}

/** @returns sends a reaction, and resolves to why it was refused; null where it was sent. */
export function useReact(slug: string): (kind: ReactionKind) => Promise<string | null> {
  const api = useApi();
  return useCallback(
    async (kind) => {
      try {
        await api.post(`${sessionPath(slug)}/reactions`, { reaction: { kind } });
        return null;
      } catch (error) {
        // A reaction that cannot be sent now is not worth a word.
        return error instanceof ApiError ? refusalText(error) : null;
      }
    },
    [api, slug],
  );
}
