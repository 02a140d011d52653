import {
  type Decided,
  dividePool,
  type Payout,
  type StakedCall,
  stakeOf,
} from "#src/play/calls/compute-payouts.ts";

/** The payout of every call of an event by the formula in TypeScript, by call id. */
export function computePayouts(calls: readonly StakedCall[], decided: Decided): Map<number, Payout> {
  const staked = calls
    .toSorted((one, other) => one.callId - other.callId)
    .map((call) => ({ callId: call.callId, stake: stakeOf(call, decided) }));
  const pay = dividePool(
    staked.map(({ stake }) => ({ ...stake, callsCount: 1 })),
    decided,
  );
  return new Map(staked.map(({ callId, stake }) => [callId, pay(stake)]));
}
