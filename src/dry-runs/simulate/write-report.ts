import { listAccountTotals } from "#db/ledger/list-book-checks.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import type { Side } from "#db/lists/spots.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { findRemarks, type PacedEvent } from "#src/show/events/pace/contract.ts";
import { recomputeSettlement } from "#src/show/events/show-settlement.ts";
import { type InvariantName, invariantNames, LATE_TAPS_PERCENT } from "../contract.ts";
import type { PlayedCall, Report } from "../schemas.ts";
import { checkShow, differ, listShowCalls, type Violations } from "./check-show.ts";
import { type Play, START_MS, type Tap } from "./play.ts";

const VIOLATIONS_LISTED_MAX = 20;

/** Refusals that are about the player's money, not about the time. */
const moneyRefusals = new Set(["insufficient_balance", "invalid"]);

/** Checks what was played, and describes it. Equal plays give equal reports. */
export async function writeReport(play: Play): Promise<Report> {
  const { show, plan, options, timeline } = play;
  const totals = await listAccountTotals(show.deps.pool.db);
  const ledgerSumCents = sum(totals.map(({ postedCents }) => postedCents));
  const violations = await checkPlay(play, ledgerSumCents);
  const calls = await describeCalls(play);
  const players = await describePlayers(play, calls);
  const events = play.records.map((_, event) => describeEvent(play, event, calls));
  return {
    blueprint: { name: plan.name, eventsCount: plan.events.length },
    options,
    summary: {
      lengthMs: timeline.at(-1)?.atMs ?? 0,
      ...countTaps(calls),
      wageredCents: sum(calls.filter(isPlaced).map(({ wagerCents }) => wagerCents)),
      paidCents: sum(events.map(({ paidCents }) => paidCents)),
      refundedCents: sum(events.map(({ refundedCents }) => refundedCents)),
      ledgerSumCents,
    },
    invariants: invariantNames.map((name) => ({
      name,
      holds: violations[name].length === 0,
      violations: violations[name].slice(0, VIOLATIONS_LISTED_MAX),
    })),
    rushed: findRushed(play),
    timeline,
    events,
    players,
    calls,
  };
}

/** Every tap with what came of it, in the order in which they reached the server. */
async function describeCalls({ show, taps }: Play): Promise<PlayedCall[]> {
  const rows = new Map((await listShowCalls(show)).map((row) => [row.id, row]));
  return taps.map(({ event, player, side, wagerCents, answer, callId, ...times }) => {
    const row = callId === null ? undefined : rows.get(callId);
    return {
      event: event + 1,
      player: player + 1,
      side,
      wagerCents,
      tappedAtMs: times.tappedAtMs - START_MS,
      arrivedAtMs: times.arrivedAtMs - START_MS,
      answer,
      outcome: row?.outcome ?? null,
      payoutCents: row?.payoutCents ?? null,
    };
  });
}

function describeEvent(play: Play, event: number, all: readonly PlayedCall[]): Report["events"][number] {
  const { title = "", trueLabel = "", falseLabel = "" } = play.plan.events[event] ?? {};
  const record = play.records[event];
  const calls = all.filter((call) => call.event === event + 1);
  const { tapsCount, lateCount, refusedCount } = countTaps(calls);
  return {
    event: event + 1,
    title,
    trueLabel,
    falseLabel,
    visibleAtMs: sinceStart(record?.visibleAtMs),
    openedAtMs: sinceStart(record?.openedAtMs),
    closedAtMs: sinceStart(record?.closedAtMs),
    resolvedAtMs: sinceStart(record?.resolvedAtMs),
    paidAtMs: sinceStart(record?.paidAtMs),
    result: record?.result ?? null,
    true: describeSide(calls, "true"),
    false: describeSide(calls, "false"),
    paidCents: sum(calls.filter(({ outcome }) => outcome === "won").map(payoutOf)),
    refundedCents: sum(calls.filter(({ outcome }) => outcome === "refunded").map(payoutOf)),
    tapsCount,
    lateCount,
    refusedCount,
  };
}

function describeSide(calls: readonly PlayedCall[], side: Side) {
  const own = calls.filter((call) => call.side === side && isPlaced(call));
  return { wageredCents: sum(own.map(({ wagerCents }) => wagerCents)), callsCount: own.length };
}

async function describePlayers(
  { show, players }: Play,
  calls: readonly PlayedCall[],
): Promise<Report["players"]> {
  const wallets = await readWallets(show.deps.pool.db, players);
  const balances = new Map(
    wallets.map(({ userId, postedCents, owedCents }) => [userId, postedCents - owedCents]),
  );
  const byPlayer = Map.groupBy(calls, ({ player }) => player);
  return players.map((userId, index) => {
    const own = byPlayer.get(index + 1) ?? [];
    const placed = own.filter(isPlaced);
    return {
      player: index + 1,
      grantedCents: show.grantedCents.get(userId) ?? 0,
      wageredCents: sum(placed.map(({ wagerCents }) => wagerCents)),
      paidCents: sum(placed.map(payoutOf)),
      balanceCents: balances.get(userId) ?? 0,
      callsCount: placed.length,
      wonCount: placed.filter(({ outcome }) => outcome === "won").length,
      lateCount: countTaps(own).lateCount,
    };
  });
}

function countTaps(calls: readonly PlayedCall[]) {
  const callsCount = calls.filter(isPlaced).length;
  const lateCount = calls.filter(({ answer }) => answer === "late").length;
  const tapsCount = calls.length;
  return { tapsCount, callsCount, lateCount, refusedCount: tapsCount - callsCount - lateCount };
}

const isPlaced = ({ answer }: PlayedCall) => answer === "placed";
const payoutOf = ({ payoutCents }: PlayedCall) => payoutCents ?? 0;
const sinceStart = (moment: number | null | undefined) => (moment == null ? null : moment - START_MS);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Checks all invariants of a show that has been played to its end. @param ledgerSumCents the sum of all accounts. */
async function checkPlay(play: Play, ledgerSumCents: number): Promise<Violations<InvariantName>> {
  return {
    ledger_sum: differ("the sum of all accounts, in cents", ledgerSumCents, 0),
    payouts: await checkPayouts(play),
    ...(await checkShow(play.show)),
    in_time: play.taps.flatMap((tap, index) => checkTap(play, tap, index)),
    ended: play.records.flatMap(({ result, paidAtMs }, event) =>
      result !== null && paidAtMs !== null ? [] : [`event ${event + 1} has no result, or is not paid`],
    ),
  };
}

/** The database has paid by its own implementation of the formula; this is the other one. */
async function checkPayouts({ show, host }: Play): Promise<string[]> {
  const { deps, eventIds } = show;
  const viewer = await findViewer(deps.pool.db, host.id);
  const violations: string[] = [];
  for (const [event, eventId] of eventIds.entries()) {
    const now = new Date(show.clock.nowMs());
    const { recomputation } = await recomputeSettlement(deps, { eventId, viewer }, now);
    const { differencesCount } = recomputation;
    if (differencesCount > 0)
      violations.push(`event ${event + 1}: ${differencesCount} calls were paid something else`);
  }
  return violations;
}

/** A call counts if it reached the server before the close, and only then. */
function checkTap({ records }: Play, { event, arrivedAtMs, answer }: Tap, index: number): string[] {
  const { openedAtMs, closesAtMs } = records[event] ?? {};
  const inTime =
    openedAtMs != null && closesAtMs != null && arrivedAtMs >= openedAtMs && arrivedAtMs < closesAtMs;
  if (inTime && moneyRefusals.has(answer)) return [];
  return differ(`tap ${index + 1} on event ${event + 1}`, answer, inTime ? "placed" : "late");
}

type Finding = Report["rushed"][number];
type Played = Pick<Play, "plan" | "records" | "taps">;

export function findRushed({ plan, records, taps }: Played): Finding[] {
  const events = plan.events.flatMap((terms, index): PacedEvent[] => {
    const record = records[index];
    return record === undefined ? [] : [{ ...terms, ...record }];
  });
  const late = events.flatMap((_, index) => lateTapsOn(index, taps));
  return [...findRemarks(events), ...late].toSorted((one, other) => one.event - other.event);
}

function lateTapsOn(event: number, allTaps: Played["taps"]): Finding[] {
  const taps = allTaps.filter((tap) => tap.event === event);
  if (taps.length === 0) return [];
  const late = taps.filter(({ answer }) => answer === "late");
  const measured = Math.round((late.length / taps.length) * 1_000) / 10;
  if (measured <= LATE_TAPS_PERCENT) return [];
  return [{ rule: "many_late_taps", event: event + 1, measured, wanted: LATE_TAPS_PERCENT }];
}
