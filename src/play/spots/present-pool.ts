import { dollarsOf } from "#src/http/money.ts";
import type { PoolView } from "./schemas.ts";

/** The JSON of a pool. */
export function presentPool(trueCents: number, falseCents: number): PoolView {
  const totalCents = trueCents + falseCents;
  return {
    true: dollarsOf(trueCents),
    trueCents,
    false: dollarsOf(falseCents),
    falseCents,
    total: dollarsOf(totalCents),
    totalCents,
  };
}
