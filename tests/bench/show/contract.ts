import * as v from "valibot";

/** The header in which players name their address; the server trusts them. */
export const FROM = "x-forwarded-for";

const player = v.object({ gid: v.string(), cookie: v.string(), csrfToken: v.string() });

/** What the bench tells a process of players. */
export const showCommand = v.variant("command", [
  v.object({
    command: v.literal("join"),
    port: v.number(),
    session: v.object({ id: v.number(), slug: v.string() }),
    players: v.array(player),
    /** The number of the first player. Each has an address of their own. */
    first: v.number(),
    withinMs: v.number(),
    /** The part of this process in what all players do together. */
    share: v.number(),
  }),
  v.object({ command: v.literal("leave") }),
]);
export type ShowCommand = v.InferOutput<typeof showCommand>;
export type Joining = Extract<ShowCommand, { command: "join" }>;

export const showReport = v.object({
  /** From the moment for which a call was planned to its last answer; `rushMs` those of the last seconds alone. */
  callMs: v.array(v.number()),
  rushMs: v.array(v.number()),
  pageMs: v.array(v.number()),
  /** How long after its planned moment this process wrote each call and each page to the connection. */
  sentLateMs: v.array(v.number()),
  joinMs: v.array(v.number()),
  /** When each device heard the opening of a question, by the event's id. Moments are milliseconds since 1970. */
  openings: v.record(v.string(), v.array(v.number())),
  /**
   * The acknowledged calls: whether an own device heard of it, when it first heard what the call is paid, in the message to everybody or
   * in its own, and when it heard of each payment.
   */
  calls: v.array(
    v.object({
      id: v.number(),
      eventId: v.number(),
      isHeard: v.boolean(),
      resultAtMs: v.nullable(v.number()),
      paymentsAtMs: v.array(v.number()),
    }),
  ),
  /** How often a call was answered with something else, by status and code. */
  refused: v.record(v.string(), v.number()),
  /** Calls that were written to their connection before the close and refused as late. */
  lateInTime: v.number(),
  devices: v.number(),
  /** Sockets that the network lost, and those that the server closed. */
  cuts: v.number(),
  closed: v.number(),
  messages: v.number(),
  bytes: v.number(),
  /** Messages that were skipped, by their offsets, and histories that the server did not have any more. */
  missed: v.number(),
  gaps: v.number(),
  chats: v.number(),
  reactions: v.number(),
});
export type ShowReport = v.InferOutput<typeof showReport>;

/** How large the show is, and how long all take to join. */
export type ShowOptions = { players: number; processes: number; questions: number; joinS: number };

/** A question of the show. `paysAtMs`: when the time to undo its first result was over. `results`: with the correction. */
export type Asked = { eventId: number; sentAtMs: number; paysAtMs: number; results: number };

/** The moment, with fractions: the same clock in all processes of a machine. */
export const momentMs = () => performance.timeOrigin + performance.now();
