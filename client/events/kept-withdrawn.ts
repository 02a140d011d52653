import { useEffect } from "react";
import { useViewer } from "../base/page/context.ts";
import type { Withdrawn } from "./action-state.ts";
import type { KnownCall } from "./known-calls.ts";
import type { View } from "./view.ts";

// Decision: the server shows nobody an event that was taken out of the show. So that a reload tells what became of it as the page
// did before, the tab keeps it: the question was on its screen.

const STORAGE_KEY = "withdrawn";

/** Whose it is (0: signed out), and of which build: another one may read it differently. */
type Of = { viewerId: number; sessionId: number; build: string };
type Kept = Of & { withdrawn: Withdrawn; ownCalls: readonly KnownCall[] };

/** Keeps the last event of the session that was skipped or reset, and tells it again after the page was loaded. */
export function useKeptWithdrawn({ state, recall }: View): void {
  const viewerId = useViewer()?.id ?? 0;
  const sessionId = state.session.id;
  const { withdrawn, ownCalls } = state;
  useEffect(() => {
    const of = { viewerId, sessionId, build: import.meta.url };
    if (withdrawn !== null) {
      keep({
        ...of,
        withdrawn,
        ownCalls: ownCalls.filter(({ call }) => call.eventId === withdrawn.event.id),
      });
      return;
    }
    const kept = read();
    const isOwn = kept?.viewerId === viewerId && kept.sessionId === sessionId && kept.build === of.build;
    if (kept !== null && isOwn) recall(kept.withdrawn, kept.ownCalls);
  }, [viewerId, sessionId, withdrawn, ownCalls, recall]);
}

function keep(kept: Kept): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // Without storage a reload forgets it.
  }
}

function read(): Kept | null {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
    return kept;
  } catch {
    return null;
  }
}
