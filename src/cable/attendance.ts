import type { Redis } from "ioredis";
import type { Logger } from "pino";
import * as v from "valibot";
import { redisScript, runScript } from "#src/base/redis-script.ts";
import { broadcastControl } from "#src/streams/broadcast.ts";
import type { Seat } from "./desk.ts";
import { parseJson } from "./parse-command.ts";

const REFRESH_EVERY_MS = 10_000;
/** Whoever is not refreshed is forgotten: its process has died. */
const LIFETIME_MS = 30_000;

/**
 * KEYS: who is there, by connection. ARGV: join, leave or list; the connection; the player's id; what is shown of them; the
 * lifetime. Answers 1 where the player came or went, by whichever connection; then, for a list, id and info by turns.
 */
const attendanceScript = redisScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local by, elsewhere = {}, false
for _, sid in ipairs(redis.call('HKEYS', KEYS[1])) do
  local record = cjson.decode(redis.call('HGET', KEYS[1], sid))
  if record[3] < now then redis.call('HDEL', KEYS[1], sid)
  else
    by[record[1]] = record[2]
    if record[1] == ARGV[3] and sid ~= ARGV[2] then elsewhere = true end
  end
end
local here = by[ARGV[3]] ~= nil
if ARGV[1] == 'join' then
  redis.call('HSET', KEYS[1], ARGV[2], cjson.encode({ARGV[3], ARGV[4], now + ARGV[5]}))
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return {here and 0 or 1}
elseif ARGV[1] == 'leave' then
  redis.call('HDEL', KEYS[1], ARGV[2])
  return {(here and not elsewhere) and 1 or 0}
end
local list = {0}
for id, info in pairs(by) do
  list[#list + 1] = id
  list[#list + 1] = info
end
return list`);

const answered = v.tupleWithRest([v.picklist([0, 1])], v.string());

/** Who says of themselves to extended clients that they are there; the game's own count goes by subscriptions alone. */
export class Attendance {
  readonly #redis: Redis;
  readonly #log: Logger;
  /** The seats of this process whose players have said so. */
  readonly #present = new Map<string, Seat>();
  #refreshing: Timer | undefined;

  constructor({ redis, log }: { redis: Redis; log: Logger }) {
    this.#redis = redis;
    this.#log = log;
  }

  start(): void {
    this.#refreshing ??= setInterval(() => {
      for (const seat of this.#present.values())
        this.#ask("join", seat).catch((error: unknown) => this.#log.debug({ err: error }, "refreshed later"));
    }, REFRESH_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#refreshing);
  }

  /** Everybody there hears of it, where the player was not there before. Rejects while Redis is away. */
  async join(seat: Seat): Promise<void> {
    this.#present.set(nameOf(seat), seat);
    const [came] = await this.#ask("join", seat);
    const { gid, username } = seat.peer.viewer;
    if (came === 1) await this.#tell(seat, { type: "join", id: gid, info: { username } });
  }

  /** The same for one who goes, or is gone. */
  async leave(seat: Seat): Promise<void> {
    if (!this.#present.delete(nameOf(seat))) return;
    try {
      const [went] = await this.#ask("leave", seat);
      if (went === 1) await this.#tell(seat, { type: "leave", id: seat.peer.viewer.gid });
    } catch (error) {
      this.#log.debug({ err: error }, "who left is forgotten after a while");
    }
  }

  /** Who is there, as AnyCable's clients want it. */
  async list(seat: Seat): Promise<object> {
    const [, ...list] = await this.#ask("list", seat);
    const records = list.flatMap((id, index) =>
      index % 2 === 0 ? [{ id, info: parseJson(list[index + 1] ?? "null") }] : [],
    );
    return { type: "info", total: records.length, records };
  }

  async #ask(what: "join" | "leave" | "list", { peer, identifier, admission }: Seat) {
    const { gid, username } = peer.viewer;
    const args = [what, `${peer.sid} ${identifier}`, gid, JSON.stringify({ username }), LIFETIME_MS];
    const keys = [`${admission.stream}:there`];
    return v.parse(answered, await runScript(this.#redis, attendanceScript, keys, args));
  }

  #tell({ admission: { stream } }: Seat, presence: object): Promise<void> {
    return broadcastControl(this.#redis, { stream, presence });
  }
}

function nameOf({ peer, identifier }: Seat): string {
  return `${peer.sid} ${identifier}`;
}
