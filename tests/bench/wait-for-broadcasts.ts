import { isNull } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import type { BenchDeps } from "./bench-deps.ts";

/** Waits until the web process has broadcast all facts, so that no broadcast runs during the next measurement. */
export async function waitForBroadcasts({ pool }: BenchDeps): Promise<void> {
  const allSent = async () => (await pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
  await waitFor("the facts to be broadcast", allSent, { withinMs: 300_000 });
}
