import type { Queryable } from "#db/client.ts";
import { readDepositRoom } from "#db/ledger/spending.ts";
import { statedAges } from "#db/schema/spending.ts";
import type { Deps } from "#src/base/deps.ts";
import { depositsRefused } from "#src/base/instruments.ts";
import { invalid, Refusal } from "#src/base/refusal.ts";
import { formatMoney } from "#src/http/contract.ts";
import type { Env } from "#src/settings/env.ts";
import { findBreak, onBreak } from "./break.ts";
import { daysLabel, inUtc, openText } from "./contract.ts";
import { findAgeToConfirm, hasPaymentsAt } from "./find-spending.ts";

/**
 * Refuses a deposit from a region without payments (403), and of a player who has not confirmed the age (422). `isOfAge` confirms it,
 * once for good.
 */
export async function requireFitPlayer(
  { env, pool: { db } }: Pick<Deps, "env" | "pool">,
  { userId, isOfAge, request }: { userId: number; isOfAge: boolean; request: Request },
): Promise<void> {
  if (!hasPaymentsAt(env, request)) {
    depositsRefused.inc({ by: "region" });
    const detail = "Nothing can be paid in from where you are. You can go on playing.";
    throw new Refusal(403, "region_without_payments", "Payments are off in your region.", { detail });
  }
  const years = await findAgeToConfirm(db, env, userId);
  if (years === null) return;
  if (!isOfAge) {
    depositsRefused.inc({ by: "age" });
    const detail = `Deposits are for players of ${years} and older. Confirm your age to go on.`;
    throw invalid({ ofAge: ["must be accepted"] }, { code: "age_not_confirmed", detail });
  }
  await db
    .insert(statedAges)
    .values({ userId, years })
    .onConflictDoUpdate({ target: statedAges.userId, set: { years } });
}

const timeOf = ({ freeAt }: { freeAt: Date | null }) => freeAt?.getTime() ?? 0;

/** The refusal of a deposit that the database has judged: it says which limit, what is left, and from when more is possible. */
export async function refuseDeposit(
  db: Queryable,
  { spending: { siteLimitCents: siteCents } }: Env,
  { userId }: { userId: number },
): Promise<Refusal> {
  const going = await findBreak(db, userId);
  depositsRefused.inc({ by: going === null ? "limit" : "break" });
  if (going !== null) return onBreak({ base: ["is on a break"] }, going);
  const room = await readDepositRoom(db, { userId, siteCents });
  const tightest = room.toSorted((a, b) => a.leftCents - b.leftCents || timeOf(b) - timeOf(a))[0];
  if (tightest === undefined) return invalid({ deposit: ["is over a limit"] }, { code: "deposit_limit" });
  const { own, days, limitCents, openCents, leftCents, freeAt } = tightest;
  const whose = own ? "Your" : "The site's";
  const left = leftCents === 0 ? "is reached" : `leaves ${formatMoney(leftCents)}`;
  const more = freeAt === null ? "" : ` More is possible from ${inUtc(freeAt)}.`;
  return invalid(
    { deposit: ["is over a limit"] },
    {
      code: "deposit_limit",
      detail: `${whose} limit of ${formatMoney(limitCents)} within ${daysLabel(days)} ${left}.${openText(openCents)}${more}`,
    },
  );
}
