import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { signedIn } from "../players.ts";
import { type Api, apiOf, newApi } from "../show-host.ts";
import { findBeyondEdge } from "../support/inspect-page.ts";
import { expect, openLive, test } from "../support/journey.ts";

/** A word without a place to break, as long as its field takes it. */
const word = (length: number) => "Donaudampfschifffahrtsgesellschaft".repeat(20).slice(0, length);
const widths = [390, 768, 1_024] as const;
const WIDE = "The page is";

test("no word, however long, makes a page of the hosts wider than the screen", async () => {
  const host = await signedIn("admin");
  const api = apiOf(host);
  const paths = await writeLongWords(api);
  const { user } = await buildLongNamed();
  for (const path of [...paths, `/users/${user.id}`, "/users", "/sessions", "/blueprints"]) {
    await openLive(host, path);
    for (const width of widths) {
      await host.setViewportSize({ width, height: 900 });
      const beyond = await host.evaluate(findBeyondEdge);
      expect
        .soft(
          beyond.filter((fault) => fault.startsWith(WIDE)),
          `${path} at ${width} px`,
        )
        .toEqual([]);
    }
  }
});

/** A player whose name and address are as long as they may be. */
async function buildLongNamed(): Promise<{ user: { id: number } }> {
  const own = crypto.randomUUID().replaceAll("-", "");
  const password = "nine lives and a day";
  const api = await newApi();
  return api("POST", "/users/guest_registration", {
    user: {
      username: `${own.slice(0, 10)}${word(10)}`,
      email: `${own}${word(32)}@${word(60)}.${word(60)}.${word(56)}.test`,
      password,
      password_confirmation: password,
      terms: true,
    },
  });
}

/** A blueprint, a session of it that runs, and where a host sees them. */
async function writeLongWords(api: Api): Promise<string[]> {
  const about = { name: word(80), description: word(500) };
  const { blueprint } = await api<{ blueprint: BlueprintView }>("POST", "/api/v1/blueprints", {
    blueprint: about,
  });
  const event = {
    title: word(140),
    true_label: word(25),
    false_label: word(24).slice(1),
    description: word(500),
  };
  await api("POST", "/api/v1/blueprint_events", {
    blueprint_event: { blueprint_id: blueprint.id, ...event },
  });
  const { session } = await api<{ session: SessionView }>("POST", "/api/v1/sessions", { session: about });
  for (const ask of [false, true]) {
    if (ask) await api("PUT", `/api/v1/sessions/${session.slug}/start`);
    await api("POST", "/api/v1/events", {
      event: { session_id: session.id, ...event, ask, duration_seconds: 600 },
    });
  }
  await api("PUT", `/api/v1/sessions/${session.slug}/deactivate`).catch(() => undefined);
  const room = `/sessions/${session.slug}`;
  const plan = `/blueprints/${blueprint.id}`;
  return [plan, `${plan}/edit`, `${plan}/edit?panel=1`, `${plan}/edit?panel=paste`, `${plan}/dry_run`].concat(
    [`${room}/admin`, `${room}/edit`, `${room}/leaders`, `${room}/chat`, `${room}/history`],
  );
}
