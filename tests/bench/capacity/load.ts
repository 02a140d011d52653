import { type Cpu, costAt, sumCpu, type Units } from "./units.ts";

/** Of an event; see src/relay/relay-outbox.ts. The leaders are among the messages of an event. */
const POOL_MESSAGES_PER_SECOND = 4;
/** How pages are divided. */
const PAGES = { action: 0.6, leaderboard: 0.2, history: 0.1, wallet: 0.1 } as const;

/** What happens in a second, and how many sockets are connected meanwhile. */
export type Traffic = {
  pages: number;
  connects: number;
  sockets: number;
  calls: number;
  settled: number;
  events: number;
};

/** What a traffic costs. CPU times are in cores: 1 is a second of CPU time a second. */
export type Load = {
  cores: Cpu;
  /** Messages of the session, and how many sockets they reach, a second. */
  messages: number;
  deliveries: number;
  /** Bytes a second that web processes send, and that Postgres writes to its log. */
  sentBytes: number;
  walBytes: number;
};

/** How pages are divided: all of them the action page, or as players open them. */
export type PageMix = Partial<Record<keyof typeof PAGES, number>>;

/**
 * The load of a traffic.
 * @param processes web processes that share it. Unit costs depend on the rate of one of them.
 */
export function loadOf(
  units: Units,
  traffic: Traffic,
  {
    processes = 1,
    mix = PAGES,
    firstVisitShare = 0,
  }: { processes?: number; mix?: PageMix; firstVisitShare?: number } = {},
): Load {
  const { pages, connects, sockets, calls, settled, events } = traffic;
  const pools = Math.min(calls, POOL_MESSAGES_PER_SECOND);
  const others = events * units.event.messages;
  const messages = pools + others;
  const deliveries = messages * sockets;
  const page = pageOf(units, mix, pages / processes);
  const us = sumCpu([
    [units.idle, 1],
    [page.cpu, pages],
    [units.connect, connects],
    [units.socketSecond.cpu, sockets],
    [units.delivery, deliveries],
    [costAt(units.call.curve, calls / processes), calls],
    [units.settled.cpu, settled],
    [units.event.cpu, events],
  ]);
  return {
    cores: sumCpu([[us, 1 / 1_000_000]]),
    messages,
    deliveries,
    sentBytes:
      pages * (page.bytes + firstVisitShare * units.firstVisitBytes) +
      sockets * units.socketSecond.bytes +
      sockets * (pools * units.call.poolBytes + others * units.event.messageBytes) +
      calls * units.call.bytes +
      settled * units.settled.bytes,
    walBytes: calls * units.call.walBytes + settled * units.settled.walBytes + events * units.event.walBytes,
  };
}

/** A page of the mean kind. What a lower rate adds is measured with the action page. */
function pageOf(units: Units, mix: PageMix, perSecond: number): { cpu: Cpu; bytes: number } {
  const full = units.pages.action.cpu;
  const slow = costAt(units.pageCurve, perSecond);
  const kinds = [
    [units.pages.action, mix.action],
    [units.pages.leaderboard, mix.leaderboard],
    [units.pages.history, mix.history],
    [units.pages.wallet, mix.wallet],
  ] as const;
  const mean = sumCpu(kinds.map(([{ cpu }, share = 0]) => [cpu, share] as const));
  return {
    cpu: sumCpu([
      [mean, 1],
      [slow, 1],
      [full, -1],
    ]),
    bytes: kinds.reduce((sum, [{ bytes }, share = 0]) => sum + bytes * share, 0),
  };
}
