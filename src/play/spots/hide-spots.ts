import type { Transaction } from "#db/client.ts";
import { moveSpots } from "./move-spots.ts";

/**
 * Destroys both spots of an event that is being destroyed. Its gate is held, and it has no active calls.
 * @throws Refusal 422 unless both are open or closed.
 */
export async function hideSpots(tx: Transaction, eventId: number): Promise<void> {
  await moveSpots(tx, [eventId], "hide");
}
