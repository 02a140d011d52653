import { present } from "#src/http/present.ts";
import { poolSchema, type PoolView } from "./schemas.ts";

/** The JSON of a pool. */
export function presentPool(trueCents: number, falseCents: number): PoolView {
  return present(poolSchema, { trueCents, falseCents, totalCents: trueCents + falseCents });
}
