import { callOther, endAllShows, type Host, PASSWORD, startShow } from "#tests/other-browsers/own-show.ts";
import type { Visitor } from "./visitor.ts";

/** Signs in as the demo player ana, calls the right side of an event of a session of its own, and reads the result and the history. */
export async function takeShortJourney(visitor: Visitor, url: string, host: Host): Promise<void> {
  await endAllShows(host);
  const { session, event } = await startShow(host);
  await visitor.open(`${url}/users/sign_in`);
  await visitor.fill("Email", "ana@example.test");
  await visitor.fill("Password", PASSWORD);
  await visitor.press("Sign in");
  await visitor.sees("In sync");
  await visitor.open(`${url}/sessions/${session.slug}`);
  await visitor.sees(event.title);
  await visitor.press("You think True");
  await visitor.sees("Placed ");
  await callOther(host, event);
  await host.api("PATCH", `/api/v1/events/${event.id}/state`, {
    event: { state_event: "resolve", result: true },
  });
  await visitor.sees("You called it");
  await visitor.press("History");
  await visitor.sees(event.title);
  await visitor.sees("Won");
}

/** Comes as a stranger: while nothing is live, and while a question is open, which a guest calls. The guest is then asked to stay. */
export async function comeAsStranger(visitor: Visitor, url: string, host: Host): Promise<void> {
  await endAllShows(host);
  await visitor.open(url);
  await visitor.sees("Say it before");
  await visitor.sees("Next in two hours");
  await visitor.sees("Remind me");
  const { event } = await startShow(host);
  await visitor.open(url);
  await visitor.sees("Live now");
  await visitor.sees(event.title);
  await visitor.fill("Your name", `zoe_${Date.now() % 1e9}`);
  await visitor.press("Play now");
  await visitor.sees("In sync");
  await visitor.sees(event.title);
  await visitor.press("You think True");
  await visitor.sees("Placed ");
  await callOther(host, event);
  await host.api("PATCH", `/api/v1/events/${event.id}/state`, {
    event: { state_event: "resolve", result: true },
  });
  await visitor.sees("You called it");
  await visitor.sees("Keep your $10");
  await visitor.open(`${url}/users/guest_registration`);
  await visitor.sees("Finish your account");
}
