import { payOut } from "../expected-payouts.ts";
import { callsOf, type Model, type ModelEvent, type Result } from "./model.ts";

/** The part of a player's money that is held by active calls. */
export function heldCents(model: Model, player: number): number {
  const active = model.calls.filter(
    (call) => call.player === player && (call.state === "placed" || call.state === "closed"),
  );
  return active.reduce((total, { cents }) => total + cents, 0);
}

export function availableCents(model: Model, player: number): number {
  return (model.wallets[player]?.postedCents ?? 0) - heldCents(model, player);
}

/** Pays an event's calls by a result; after another result, pays the difference. */
export function settle(
  model: Model,
  event: ModelEvent,
  verdict: { result: Result; effectiveMs: number | null },
): void {
  const calls = callsOf(model, event);
  const paid = payOut(
    calls.map(({ side, cents, placedMs }, id) => ({ id, side, wagerCents: cents, placedMs })),
    verdict,
  );
  const changes = new Map<number, number>();
  for (const [id, call] of calls.entries()) {
    const { payoutCents } = paid.get(id) ?? { payoutCents: 0 };
    const change = payoutCents - (call.payoutCents ?? call.cents);
    changes.set(call.player, (changes.get(call.player) ?? 0) + change);
    call.payoutCents = payoutCents;
    call.state = "resolved";
  }
  for (const [player, change] of changes) applyChange(model, player, change);
}

/** What a player cannot pay back is owed; what is available afterwards pays the debt first, a released hold too. */
export function applyChange(model: Model, player: number, changeCents: number): void {
  const wallet = model.wallets[player];
  if (wallet === undefined) return;
  wallet.postedCents += changeCents;
  const repaid = Math.min(wallet.owedCents, availableCents(model, player));
  wallet.owedCents -= repaid;
  wallet.postedCents -= repaid;
}
