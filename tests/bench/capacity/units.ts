import * as v from "valibot";

/** What takes CPU time: the web process without its relay, its relay (a thread), Postgres, Redis and the worker. */
export const parts = ["web", "relay", "postgres", "redis", "worker"] as const;
export type Part = (typeof parts)[number];

const cpu = v.object({
  web: v.number(),
  relay: v.number(),
  postgres: v.number(),
  redis: v.number(),
  worker: v.number(),
});
/** CPU time by part, in microseconds, for one of something. In a second of load it is microseconds a second. */
export type Cpu = v.InferOutput<typeof cpu>;

const curve = v.array(v.object({ perSecond: v.number(), cpu }));
/**
 * What one of something costs at several rates, the lowest rate first. Work that comes together is done together, so one costs
 * less at a high rate.
 */
export type Curve = v.InferOutput<typeof curve>;

export const pageKinds = ["action", "leaderboard", "history", "wallet"] as const;
export type PageKind = (typeof pageKinds)[number];
const page = v.object({ cpu, bytes: v.number() });

export const unitsSchema = v.object({
  machine: v.string(),
  commit: v.string(),
  measuredOn: v.string(),
  /** The share of the CPU time that the machine's host took away meanwhile, from 0 to 1. */
  stealShare: v.number(),
  /** One web process and one worker without a request: a second of it. */
  idle: cpu,
  /** A request for each page at full load: its CPU time, and the bytes of its answer. */
  pages: v.object({ action: page, leaderboard: page, history: page, wallet: page }),
  /** The action page at several rates. */
  pageCurve: curve,
  /** The files of a first visit, compressed. */
  firstVisitBytes: v.number(),
  /** Connecting a socket, with both subscriptions and the question for what was missed. */
  connect: cpu,
  /** A second of a connected socket that nothing is sent to. */
  socketSecond: v.object({ cpu, bytes: v.number() }),
  /** A message of a session that reaches one socket. */
  delivery: cpu,
  /**
   * A call: to its commit, and to all sockets of its player. `bytes`: of its answer and of these messages. `poolBytes`: of a pool
   * message.
   */
  call: v.object({
    curve,
    bytes: v.number(),
    poolBytes: v.number(),
    walBytes: v.number(),
    diskBytes: v.number(),
  }),
  /**
   * What an event costs without calls, from its publication to its result. `messages`: those of its session, of so many bytes each.
   */
  event: v.object({
    cpu,
    messages: v.number(),
    messageBytes: v.number(),
    walBytes: v.number(),
    diskBytes: v.number(),
  }),
  /** A call that is settled and paid, and the messages to its player. */
  settled: v.object({ cpu, bytes: v.number(), walBytes: v.number(), diskBytes: v.number() }),
  /** A new player with a wallet and a sign-in. */
  player: v.object({ walBytes: v.number(), diskBytes: v.number() }),
  /** A session with ten events, without calls. */
  session: v.object({ walBytes: v.number(), diskBytes: v.number() }),
  /** A ledger entry with its indexes. It is a part of the disk bytes of a call that is settled. */
  entryBytes: v.number(),
  /** A day on which nobody plays. */
  idleDay: v.object({ walBytes: v.number(), diskBytes: v.number() }),
  memory: v.object({
    webBytes: v.number(),
    workerBytes: v.number(),
    postgresBytes: v.number(),
    redisBytes: v.number(),
    socketBytes: v.number(),
  }),
});
/** The unit costs of one machine. */
export type Units = v.InferOutput<typeof unitsSchema>;

export const noCpu: Cpu = { web: 0, relay: 0, postgres: 0, redis: 0, worker: 0 };

function ofParts(of: (part: Part) => number): Cpu {
  return {
    web: of("web"),
    relay: of("relay"),
    postgres: of("postgres"),
    redis: of("redis"),
    worker: of("worker"),
  };
}

/** The sum of CPU times, each multiplied by its count. */
export function sumCpu(summands: readonly (readonly [Cpu, number])[]): Cpu {
  return ofParts((part) => summands.reduce((sum, [each, times]) => sum + each[part] * times, 0));
}

/** What remains of a CPU time, at least 0: a small difference of large figures may be negative. */
export function withoutCpu(from: Cpu, summands: readonly (readonly [Cpu, number])[]): Cpu {
  const rest = sumCpu([[from, 1], ...summands.map(([each, times]) => [each, -times] as const)]);
  return ofParts((part) => Math.max(0, rest[part]));
}

/**
 * What one costs at this rate: between two measured rates by the logarithm of the rate, outside of them as at the nearest.
 * @param perSecond the rate of one web process.
 */
export function costAt(points: Curve, perSecond: number): Cpu {
  const upper = points.findIndex((point) => point.perSecond >= perSecond);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a curve needs a point");
  if (upper === -1) return last.cpu;
  const [below, above] = [points[upper - 1], points[upper]];
  if (below === undefined || above === undefined) return first.cpu;
  const share = Math.log(perSecond / below.perSecond) / Math.log(above.perSecond / below.perSecond);
  return sumCpu([
    [below.cpu, 1 - share],
    [above.cpu, share],
  ]);
}

/** The CPU time of these parts alone. What others spent meanwhile has nothing to do with it: a sweep, a check of the books. */
export function onlyOf(cpu: Cpu, involved: readonly Part[]): Cpu {
  return ofParts((part) => (involved.includes(part) ? cpu[part] : 0));
}
