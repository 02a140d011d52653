import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { redisScript, runScript } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { broadcastControl, hostsStream } from "#src/base/streams/broadcast.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { HOST_LIFETIME_MS } from "./contract.ts";
import { type Arming, type HostsAnswer, hostSchema, type HostsMessage, type HostView } from "./schemas.ts";

type HostingDeps = Pick<Deps, "pool" | "redis" | "log">;
type Page = {
  viewer: { id: number; username: string };
  sessionId: string;
  tab: string;
};

const tabId = v.pipe(v.string(), v.uuid());

/** More pages than this are not listed. */
const HOSTS_MAX = 64;

/** The page of a newer release may have armed what this one does not know: it is shown without. */
const storedHost = v.object({ ...hostSchema.entries, arming: v.fallback(hostSchema.entries.arming, null) });
const scriptResult = v.tupleWithRest([v.picklist([0, 1])], v.pipe(v.string(), v.parseJson(), storedHost));

export async function listHosts(deps: HostingDeps, slugOrId: string): Promise<HostsAnswer> {
  const { id } = await requireSession(deps.pool.db, slugOrId);
  return tryTo(deps, id, () => readHosts(deps.redis, id));
}

/** Reports that a host's page is there, and what the host has armed. The other hosts receive it if it is new. */
export async function reportHost(
  deps: HostingDeps,
  { arming, ...page }: Page & { arming: Arming },
): Promise<HostsAnswer> {
  const { id, host } = await requirePage(deps, page);
  return tryTo(deps, id, () => writeHost(deps.redis, id, { ...host, arming }));
}

/** Reports that a host's page is left. */
export async function removeHost(deps: HostingDeps, page: Page): Promise<void> {
  const { id, host } = await requirePage(deps, page);
  await tryTo(deps, id, () => run(deps.redis, id, [pageOf(host), ""]));
}

async function requirePage({ pool }: HostingDeps, { viewer, sessionId, tab }: Page) {
  const { id } = await requireSession(pool.db, sessionId);
  if (!v.is(tabId, tab)) throw notFound();
  return { id, host: { tab, userId: viewer.id, username: viewer.username } };
}

/** Without Redis hosts do not see each other. It says nothing about the show, so nobody gets an error. */
async function tryTo(
  { redis, log }: HostingDeps,
  sessionId: number,
  change: () => Promise<ChangedHosts>,
): Promise<HostsAnswer> {
  const now = serverNow();
  const serverTime = now.toISOString();
  try {
    const { hosts, changed } = await change();
    const message: HostsMessage = {
      sourceType: "Host",
      eventType: "list",
      detail: { hosts, version: now.getTime(), serverTime },
    };
    if (changed) await broadcastControl(redis, { stream: hostsStream(sessionId), message });
    return { hosts, serverTime };
  } catch (error) {
    log.debug({ err: error, sessionId }, "hosts could not be read; they do not see each other");
    return { hosts: [], serverTime };
  }
}

/**
 * KEYS: the hosts of a session, each as `<expiry>|<json>`. ARGV: the lifetime in milliseconds, the largest number of hosts, the
 * key of the page, its JSON, and the time; without a key nothing is written, without JSON the page is removed.
 * Returns 1 if the list has changed, then the JSON of each host.
 */
const hostsScript = redisScript(`
local now = tonumber(ARGV[5])
local changed = 0
for _, page in ipairs(redis.call('HKEYS', KEYS[1])) do
  if tonumber(string.match(redis.call('HGET', KEYS[1], page), '^%d+')) < now then
    redis.call('HDEL', KEYS[1], page)
    changed = 1
  end
end
if ARGV[4] == '' then changed = math.max(changed, redis.call('HDEL', KEYS[1], ARGV[3]))
elseif ARGV[3] ~= '' then
  local before = redis.call('HGET', KEYS[1], ARGV[3])
  if not before or string.sub(before, string.find(before, '|') + 1) ~= ARGV[4] then changed = 1 end
  if before or redis.call('HLEN', KEYS[1]) < tonumber(ARGV[2]) then
    redis.call('HSET', KEYS[1], ARGV[3], string.format('%d|', now + ARGV[1]) .. ARGV[4])
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
local list = {changed}
for _, each in ipairs(redis.call('HVALS', KEYS[1])) do
  list[#list + 1] = string.sub(each, string.find(each, '|') + 1)
end
return list`);

/** The hosts of a session by name, and whether the request has changed the list. */
type ChangedHosts = { hosts: HostView[]; changed: boolean };

/** Reads who hosts a session. Rejects while Redis is away, as do the other functions here. */
export const readHosts = (redis: RedisClient, sessionId: number) => run(redis, sessionId, ["", "-"]);

/** Adds or refreshes the page of a host. It expires after `HOST_LIFETIME_MS`. */
export const writeHost = (redis: RedisClient, sessionId: number, host: HostView) =>
  run(redis, sessionId, [pageOf(host), JSON.stringify(host)]);

/** With the user, so that no admin can speak for another one's page. */
function pageOf({ userId, tab }: Pick<HostView, "userId" | "tab">): string {
  return `${userId} ${tab}`;
}

async function run(
  redis: RedisClient,
  sessionId: number,
  [page, json]: readonly [page: string, json: string],
): Promise<ChangedHosts> {
  const args = [HOST_LIFETIME_MS, HOSTS_MAX, page, json, serverNow().getTime()];
  const reply = await runScript(redis, hostsScript, [`hosts:session:${sessionId}`], args);
  const [changed, ...hosts] = v.parse(scriptResult, reply);
  const byName = (one: HostView, other: HostView) =>
    one.username.localeCompare(other.username) || one.tab.localeCompare(other.tab);
  return { hosts: hosts.toSorted(byName), changed: changed === 1 };
}
