import { sql } from "drizzle-orm";
import * as v from "valibot";
import { seasons } from "#db/schema/seasons.ts";
import { newInvitationAnswer } from "#src/people/invitations/schemas.ts";
import { deliveryAnswer, webhookSecretAnswer } from "#src/webhooks/schemas.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { failJob } from "#tests/operate/operations/fail-job.ts";
import { only } from "#tests/support/build.ts";
import { type Fixture, type Prepare, byAdmin, byPlayer } from "./fixture.ts";

const A_MINUTE_MS = 60_000;

export const happyOperations: Record<string, Prepare> = {
  showBooks: byAdmin,
  checkBooks: byAdmin,
  showOperations: async (fixture) => {
    // Nothing closes it: there is no worker.
    await buildDueEvent(fixture.deps, -A_MINUTE_MS);
    return byAdmin(fixture);
  },
  listSiteAudit: byAdmin,
  exportSiteAudit: byAdmin,
  listSwitches: byAdmin,
  changeSwitch: async ({ admin }) => ({
    browser: admin.browser,
    params: { name: "chat" },
    body: { switch: { on: true } },
  }),
  listInvitations: byAdmin,
  makeInvitation: async ({ admin }) => ({
    browser: admin.browser,
    body: { invitation: { uses_max: 20, valid_days: 7 } },
  }),
  revokeInvitation: async ({ admin: { browser } }) => {
    const { body } = await browser.send("POST", "/api/v1/invitations", {});
    return { browser, params: { id: v.parse(newInvitationAnswer, body).invitation.id } };
  },
  sendWaiting: byAdmin,
  pauseQueue: async ({ admin }) => ({ browser: admin.browser, params: { queue: "pictures" } }),
  resumeQueue: async ({ admin }) => ({ browser: admin.browser, params: { queue: "pictures" } }),
  retryJob: async ({ deps, admin }) => {
    const { id: jobId = "" } = await failJob(deps);
    return { browser: admin.browser, params: { queue: "pictures", jobId } };
  },
};

const PATH = "/api/v1/webhooks";
// A port that nothing listens on: these requests only queue messages.
const webhookBody = { webhook: { name: "Scoreboard", url: "http://127.0.0.1:9/called-it" } };

async function withWebhook({ admin: { browser } }: Fixture) {
  const { body: answer } = await browser.send("POST", PATH, webhookBody);
  return { browser, params: { id: v.parse(webhookSecretAnswer, answer).webhook.id } };
}

async function withDelivery(fixture: Fixture) {
  const { browser, params } = await withWebhook(fixture);
  const { body: answer } = await browser.send("POST", `${PATH}/${params.id}/ping`);
  return { browser, params, delivery: v.parse(deliveryAnswer, answer).delivery };
}

export const happyWebhooks: Record<string, Prepare> = {
  listWebhooks: async (fixture) => ({ browser: (await withWebhook(fixture)).browser }),
  createWebhook: async ({ admin: { browser } }) => ({ browser, body: webhookBody }),
  changeWebhook: async (fixture) => ({
    ...(await withWebhook(fixture)),
    body: { webhook: { name: "Bot", format: "discord", enabled: false } },
  }),
  deleteWebhook: withWebhook,
  rotateWebhookSecret: withWebhook,
  pingWebhook: withWebhook,
  listWebhookDeliveries: async (fixture) => {
    const { browser, params } = await withDelivery(fixture);
    return { browser, params };
  },
  resendWebhookDeliveries: async (fixture) => ({
    ...(await withWebhook(fixture)),
    body: { deliveries: { from: "2026-11-21T20:00:00Z", to: "2026-11-21T23:00:00Z", kind: "Event/resolve" } },
  }),
  resendWebhookDelivery: async (fixture) => {
    const { browser, delivery } = await withDelivery(fixture);
    return { browser, params: { id: delivery.id } };
  },
};

// Seasons do not overlap, so each request has a year of its own. The years before have ended, and nothing was decided in them.
let lastYear = 1_980;

function span() {
  lastYear += 1;
  return { startsAt: new Date(`${lastYear}-01-01`), endsAt: new Date(`${lastYear + 1}-01-01`) };
}

function sent() {
  const { startsAt, endsAt } = span();
  return { name: `Year ${lastYear}`, starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() };
}

async function withSeason({ deps }: Fixture): Promise<{ params: { id: number } }> {
  const { startsAt, endsAt } = span();
  const values = { slug: `year-${lastYear}`, name: `Year ${lastYear}`, startsAt, endsAt };
  const { id } = only(await deps.pool.db.insert(seasons).values(values).returning());
  return { params: { id } };
}

/** The season that runs now, in the place of the one before. */
async function withRunning({ deps }: Fixture): Promise<{ params: { id: number } }> {
  const nowMs = Date.now();
  await deps.pool.db.delete(seasons).where(sql`${seasons.slug} LIKE 'now-%'`);
  const values = {
    slug: `now-${nowMs}`,
    name: "Now",
    startsAt: new Date(nowMs - 5),
    endsAt: new Date(2_900, 0),
  };
  const { id } = only(await deps.pool.db.insert(seasons).values(values).returning());
  return { params: { id } };
}

export const happySeasons: Record<string, Prepare> = {
  listSeasons: async (fixture) => {
    await withSeason(fixture);
    return byPlayer(fixture);
  },
  showSeason: async (fixture) => ({ browser: fixture.signedOut, ...(await withSeason(fixture)) }),
  showSeasonPicture: async (fixture) => ({ browser: fixture.signedOut, ...(await withSeason(fixture)) }),
  createSeason: async (fixture) => ({ ...(await byAdmin(fixture)), body: { season: sent() } }),
  changeSeason: async (fixture) => ({
    ...(await byAdmin(fixture)),
    ...(await withSeason(fixture)),
    body: { season: { name: "Winter" } },
  }),
  endSeason: async (fixture) => ({ ...(await byAdmin(fixture)), ...(await withRunning(fixture)) }),
  deleteSeason: async (fixture) => ({ ...(await byAdmin(fixture)), ...(await withSeason(fixture)) }),
};
