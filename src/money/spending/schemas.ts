import * as v from "valibot";
import { breakPeriods, DEPOSIT_LIMIT_MAX_CENTS, limitDays, statementSums } from "#db/lists/spending.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import { amountField, cents, moment, textLine } from "#src/http/schemas.ts";

const days = v.picklist(limitDays);
const depositLimit = v.object({
  days,
  /** Null: the player was asked, and has no limit of this period. */
  amountCents: v.nullable(cents),
  /** The higher limit that was asked for; null for none at all, where `nextAt` is set. */
  nextCents: v.nullable(cents),
  /** From when asking for it again makes it the limit; null where none was asked for. */
  nextAt: v.nullable(moment),
});

const breakSchema = v.object({ period: v.picklist(breakPeriods), beganAt: moment, endsAt: moment });

export const spendingSchema = v.object({
  /** The limits that the player was asked for; empty before the first deposit. */
  limits: v.array(depositLimit),
  room: v.array(
    v.object({
      /** False for the site's limit. */
      own: v.boolean(),
      days,
      limitCents: cents,
      /** Deposits net of refunds, and open checkouts. */
      usedCents: cents,
      /** What of that is in open checkouts: it counts until they are paid or have ended. */
      openCents: cents,
      leftCents: cents,
      /** From when more is possible; null where no deposit counts. */
      freeAt: v.nullable(moment),
    }),
  ),
  /** The break that the player is on; null for none. */
  break: v.nullable(breakSchema),
  /** What was paid in in this month (UTC), net of refunds. */
  monthCents: cents,
  /** Deposits of the last 14 days that were not used, and may go back. */
  unused: v.array(v.object({ reference: v.string(), amountCents: cents, until: moment })),
  /** The age that has to be confirmed with the first deposit; null: none, or it was. */
  ageToConfirm: v.nullable(v.number()),
  /** False where the region has no payments. */
  paymentsHere: v.boolean(),
  helpLinks: v.array(v.object({ name: v.string(), url: v.string() })),
});
export type SpendingView = v.InferOutput<typeof spendingSchema>;
export const spendingAnswer = v.object({ spending: spendingSchema });

/** Body of PUT /api/v1/spending/limits/:days under `limit`. */
export const limitBody = v.strictObject({
  /** Dollars; null: no limit. */
  amount: v.nullable(amountField(DEPOSIT_LIMIT_MAX_CENTS / 100)),
});

export const breakBody = v.strictObject({ period: v.picklist(breakPeriods, "is invalid") });
/** Body of PUT /api/v1/users/:id/break under `break`. */
export const longerBreakBody = v.strictObject({ ...breakBody.entries, reason: textLine(REASON_LENGTH_MAX) });
export const breakAnswer = v.object({ break: breakSchema });

const date = v.pipe(v.string(), v.isoDate("is not a valid date"));
/** `?from=2026-11-01&to=2026-11-30`: days in UTC, both included; by default this month. */
export const periodQuery = v.object({ from: v.optional(date), to: v.optional(date) });
export type PeriodQuery = v.InferOutput<typeof periodQuery>;

export const statementSchema = v.object({
  from: date,
  to: date,
  ...v.entriesFromList(statementSums, cents),
  /** Won and lost. */
  netCents: cents,
});
export type StatementView = v.InferOutput<typeof statementSchema>;
export const statementAnswer = v.object({ statement: statementSchema });

export const siteSpendingSchema = v.object({
  /** Of the last 30 days, the newest first. */
  days: v.array(
    v.object({
      day: date,
      /** Net of refunds. */
      depositedCents: cents,
      depositsCount: v.number(),
      breaksBegun: v.number(),
    }),
  ),
  /** Players with a limit of which nothing is left. */
  playersAtLimit: v.number(),
  playersOnBreak: v.number(),
});
export type SiteSpending = v.InferOutput<typeof siteSpendingSchema>;
export const siteSpendingAnswer = v.object({ site: siteSpendingSchema });
