import * as v from "valibot";
import type { Answer } from "./client.ts";
import { waitFor } from "./wait-for.ts";

const busy = v.object({
  status: v.literal(409),
  body: v.object({ detail: v.literal("Somebody else is changing this right now. Try again.") }),
});

/** Sends a request again for as long as the lock that it needs is busy, as on a slow machine, and as clients do. */
export async function untilFree(send: () => Promise<Answer>): Promise<Answer> {
  return waitFor("the lock to be free", async () => {
    const answer = await send();
    return !v.is(busy, answer) && answer;
  });
}
