import type { OwnCall } from "../calls/own-calls.ts";
import { showToast } from "../ui/toast.tsx";
import { recall } from "./memory.ts";
import { resultTexts } from "./result-texts.ts";

const announcedCalls = new Set<number>();

/**
 * Announces what a call has won or lost in a toast, on pages that do not show its session live. Refunds and corrections have their
 * notifications. The session's own screen announces it once more when the player is back: there it has its place.
 */
export function announceElsewhere({ call }: Pick<OwnCall, "call">): void {
  const { id, userId, sessionId, sessionSlug, eventId, eventTitle, outcome, netCents } = call;
  if (netCents === null || (outcome !== "won" && outcome !== "lost")) return;
  if (globalThis.location.pathname === `/sessions/${sessionSlug}`) return;
  // A result that is known already was corrected.
  const known = sessionId === null ? null : recall({ viewerId: userId, sessionId });
  if (announcedCalls.has(id) || known?.results.has(eventId) === true) return;
  announcedCalls.add(id);
  const isWon = outcome === "won";
  const lead = isWon ? resultTexts.won(netCents, "") : resultTexts.lost(netCents);
  showToast({ icon: isWon ? "tick" : "cross", text: resultTexts.line(lead, eventTitle) });
}
