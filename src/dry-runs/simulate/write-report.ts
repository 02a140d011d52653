import { listAccountTotals } from "#db/ledger/list-account-totals.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import type { Side } from "#db/lists/spots.ts";
import { invariantNames } from "../contract.ts";
import type { PlayedCall, Report } from "../schemas.ts";
import { checkPlay } from "./check-play.ts";
import { listShowCalls } from "./check-show.ts";
import { findRushed } from "./find-rushed.ts";
import { type Play, START_MS } from "./play.ts";

const VIOLATIONS_LISTED_MAX = 20;

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
