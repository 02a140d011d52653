import { eq } from "drizzle-orm";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { seasons } from "#db/schema/seasons.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { userRoles } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { signInAtProvider } from "#src/people/oidc/sign-in-at-provider.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import {
  buildAdmin,
  buildBlueprint,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  only,
} from "#tests/support/build.ts";

/** The callers, in the order of the columns. `player` owns the records in the paths; `other` is another player. */
export const callers = ["out", "guest", "player", "other", "operator", "admin"] as const;
export type CallerName = (typeof callers)[number];

/** One record of every kind that a path can name. */
export type World = {
  users: Record<Exclude<CallerName, "out">, { id: number }>;
  /** The values of path parameters, by the part of the path before them: "events" -> "12". */
  values: Record<string, string>;
  /** The running session, whose slug is among the values. */
  sessionId: number;
  /** Other values by route, for requests that would remove records that the others need. */
  overrides: Record<string, Record<string, string>>;
};

/** The settings of a world in which a claim of the provider gives the roles. */
export const claimSettings = {
  OIDC_ISSUER: "https://id.example.test",
  OIDC_CLIENT_ID: "called-it",
  OIDC_CLIENT_SECRET: "nobody-asks",
  OIDC_ROLES_CLAIM: "groups",
  OIDC_ADMINS: "admins",
  OIDC_OPERATORS: "operators",
  OIDC_HOSTS: "hosts",
};

/** The callers that are there by a claim: `other` has had all roles, and has none any more. */
export const claimedCallers = ["other", "operator", "admin"] as const satisfies CallerName[];

/** The statuses, or pages, that a row of all callers has for those that are there by a claim. */
export const ofClaimed = (row: string) =>
  claimedCallers.map((name) => row.split(" ")[callers.indexOf(name)]).join(" ");

/** The account of a person who comes from the provider with these values of the claim. */
export async function comeWith(deps: Deps, subject: string, values: string[]): Promise<{ id: number }> {
  const { oidc } = deps.env;
  if (oidc === null) throw new Error("The settings have no provider.");
  const browser = { address: "", userAgent: null };
  const email = `${subject}@example.test`;
  const person = {
    issuer: oidc.issuer,
    subject,
    email,
    ownsEmail: true,
    names: [subject],
    values,
    idToken: "",
  };
  return (await signInAtProvider(deps, oidc, { person, browser, guest: null })).viewer;
}

/** The users who have roles, or had them. Built when the sessions are there. */
async function buildStaff(deps: Deps): Promise<Pick<World["users"], (typeof claimedCallers)[number]>> {
  if (deps.env.oidc !== null) {
    await comeWith(deps, "other", ["admins", "operators"]);
    await comeWith(deps, "other", ["hosts"]);
    const other = await comeWith(deps, "other", []);
    const operator = await comeWith(deps, "operator", ["operators"]);
    return { other, operator, admin: await comeWith(deps, "admin", ["admins"]) };
  }
  const operator = await buildPlayer(deps);
  await deps.pool.db.insert(userRoles).values({ userId: operator.id, role: "operator" });
  return { other: await buildPlayer(deps), operator, admin: await buildAdmin(deps) };
}

/** Builds the records. The session is running but not active, so that pages do not redirect to it. */
export async function buildWorld(deps: Deps): Promise<World> {
  const player = await buildPlayer(deps);
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  const spare = await buildPlayer(deps);
  const show = await buildShow(deps, player.id);
  const users = { guest, player, ...(await buildStaff(deps)) };
  await writeNotifications(deps.pool.db, [
    { userId: player.id, kind: "announcement", title: "Hello", body: "", url: null },
  ]);
  const ofSpare = { users: String(spare.id) };
  return {
    users,
    values: { ...show.values, users: String(player.id) },
    sessionId: show.sessionId,
    overrides: {
      "PUT /api/v1/sessions/:id/stop": { sessions: show.pendingSlug },
      "PUT /api/v1/users/:id/unlock": ofSpare,
      "PUT /api/v1/users/:id/deactivate": ofSpare,
      "PUT /api/v1/users/:id/reactivate": ofSpare,
      "PUT /api/v1/users/:id/remove_name": ofSpare,
      "PUT /api/v1/users/:id/unlink": ofSpare,
      "DELETE /api/v1/sessions/:id/players/:userId": { players: String(spare.id) },
      "DELETE /api/v1/seasons/:id": { seasons: "999999" },
      "PUT /api/v1/sessions/:id/players/:userId/team": { players: String(spare.id) },
    },
  };
}

/** These records do not exist: all permitted callers get the same status. */
const unknownIds = {
  exclusions: "999999",
  dry_runs: "999999",
  payments: "no-such-payment",
  limits: "7",
  payment_flags: "1",
  checkout: "no-such-payment",
  sign_ins: crypto.randomUUID(),
  uploads: "no-such-upload",
  blobs: "no-such-blob",
  mail: "1",
  messages: "1",
  shares: "999999",
  passkeys: "999999",
  access_tokens: "999999",
  docks: "999999",
  invitations: "999999",
  switches: "chat",
  webhooks: "999999",
  hosts: crypto.randomUUID(),
  session_hosts: "999999",
  decisions: "999999",
  queues: "pictures",
  jobs: "999999",
  webhook_deliveries: "999999",
  faces: "7",
  logos: "no-such-logo",
  pictures: "0".repeat(40),
  shared: "no-such-link-here",
  push_subscriptions: "1",
  blueprint_removals: "1",
  join_codes: "ABC234",
  waves: crypto.randomUUID(),
};

async function buildShow(deps: Deps, playerId: number) {
  const { db } = deps.pool;
  const blueprint = await buildBlueprint(deps, [{}, {}]);
  const [blueprintEvent] = await db
    .select()
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, blueprint.id))
    .limit(1);
  const session = await buildRunningSession(deps, { slug: "the-show" });
  await deactivateSession(deps, { sessionId: session.id, actor: null });
  const pending = await buildSession(deps, { slug: "to-come" });
  await db.update(sessions).set({ blueprintId: blueprint.id }).where(eq(sessions.id, pending.id));
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const callId = await buildCall(deps, { userId: playerId, eventId: event.id });
  await closeEvent(deps, { eventId: event.id, actor: null });
  const registration = only(
    await db
      .insert(registrations)
      .values({ sessionId: session.id, userId: playerId, displayName: "Player" })
      .onConflictDoUpdate({
        target: [registrations.sessionId, registrations.userId],
        set: { displayName: "Player" },
      })
      .returning(),
  );
  const season = only(
    await db
      .insert(seasons)
      .values({ slug: "far", name: "Far", startsAt: new Date("2998-01-01"), endsAt: new Date("2999-01-01") })
      .returning(),
  );
  const values = {
    seasons: String(season.id),
    sessions: session.slug,
    events: String(event.id),
    calls: String(callId),
    history: String(callId),
    blueprints: String(blueprint.id),
    blueprint_events: String(blueprintEvent?.id ?? 0),
    registrations: String(registration.id),
    leaderboard: String(playerId),
    ...unknownIds,
  };
  return { values, sessionId: session.id, pendingSlug: pending.slug };
}

/** The address of a route, with every parameter replaced by its value. @param own the user to name instead of the player. */
export function pathIn(world: World, route: string, own: { id: number } | null): string {
  const [, pattern = ""] = route.split(" ");
  const values: Record<string, string> = {
    ...world.values,
    ...world.overrides[route],
    ...(own === null ? {} : { users: String(own.id) }),
  };
  const parts = pattern.split("/");
  return parts
    .map((part, index) => {
      if (part === "*") return "file.png";
      if (!part.startsWith(":")) return part;
      const value = values[parts[index - 1] ?? ""];
      if (value === undefined) throw new Error(`There is no value for ${part} of ${route}`);
      return value;
    })
    .join("/");
}
