import type { OwnCall } from "../calls/own-calls.ts";
import { showToast } from "../ui/toast.tsx";
import { recall } from "./memory.ts";
import { resultTexts } from "./result-texts.ts";

const toldCalls = new Set<number>();

/**
 * Tells what a call has won or lost in a toast, on pages that do not show its session live. Refunds and corrections have their
 * notifications. The session's own screen tells it once more when the player is back: there it has its place.
 */
export function announceElsewhere({ call }: Pick<OwnCall, "call">): void {
  const { id, userId, sessionId, sessionSlug, eventId, eventTitle, outcome, netCents } = call;
  if (netCents === null || (outcome !== "won" && outcome !== "lost")) return;
  if (globalThis.location.pathname === `/sessions/${sessionSlug}`) return;
  // A result that is known already was corrected.
  const known = sessionId === null ? null : recall({ viewerId: userId, sessionId });
  if (toldCalls.has(id) || known?.results.has(eventId) === true) return;
  toldCalls.add(id);
  const isWon = outcome === "won";
  const lead = isWon ? resultTexts.won(netCents, "") : resultTexts.lost(netCents);
  showToast({ icon: isWon ? "tick" : "cross", text: resultTexts.line(lead, eventTitle) });
}
