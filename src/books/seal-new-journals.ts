import { sealJournals } from "#db/ledger/seal-journals.ts";
import type { Deps } from "#src/base/deps.ts";

/** A seal's most journals: a longer history, as of a first run, is sealed in parts. */
const ROWS_MAX = 2_000;

/** Seals what was booked and audited since the last seal. Bookings do not wait for it, and it changes none. */
export async function sealNewJournals({ pool }: Pick<Deps, "pool">): Promise<void> {
  while ((await sealJournals(pool.db, { rowsMax: ROWS_MAX })) >= ROWS_MAX);
}
