import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { broadcastControl, hostsStream } from "#src/base/streams/broadcast.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { type ChangedHosts, deleteHost, readHosts, writeHost } from "./host-list.ts";
import type { Arming, HostsAnswer, HostsMessage } from "./schemas.ts";

type HostingDeps = Pick<Deps, "pool" | "redis" | "log">;
type Page = {
  viewer: { id: number; username: string };
  /** A session's id or slug. */
  sessionId: string;
  tab: string;
};

const tabId = v.pipe(v.string(), v.uuid());

/** Lists who hosts a session. @throws Refusal 404 for an unknown session. */
export async function listHosts(deps: HostingDeps, slugOrId: string): Promise<HostsAnswer> {
  const { id } = await requireSession(deps.pool.db, slugOrId);
  return tryTo(deps, id, () => readHosts(deps.redis, id));
}

/**
 * Reports that a host's page is there, and what the host has armed. The other hosts receive it if it is new.
 * @throws Refusal 404 for an unknown session, and for a tab that is no UUID.
 */
export async function reportHost(
  deps: HostingDeps,
  { arming, ...page }: Page & { arming: Arming },
): Promise<HostsAnswer> {
  const { id, host } = await requirePage(deps, page);
  return tryTo(deps, id, () => writeHost(deps.redis, id, { ...host, arming }));
}

/** Reports that a host's page is left. @throws Refusal as `reportHost`. */
export async function removeHost(deps: HostingDeps, page: Page): Promise<void> {
  const { id, host } = await requirePage(deps, page);
  await tryTo(deps, id, () => deleteHost(deps.redis, id, host));
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
