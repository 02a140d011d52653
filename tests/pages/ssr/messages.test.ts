import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Reader, readerFor } from "./browser.ts";
import { parsePage } from "./parse-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const other = await buildPlayer(deps);
const admin = await readerFor(deps, server, await buildAdmin(deps));
const player = await readerFor(deps, server, await buildPlayer(deps));
const stranger = new Reader(server);
const show = await buildRunningSession(deps, { slug: "the-show" });
const spotOf = async (state: "open" | "closed") =>
  String((await readSpots(deps, (await buildEvent(deps, state, { sessionId: show.id })).id)).true.id);
const [open, closed] = [await spotOf("open"), await spotOf("closed")];

const ACCOUNT = "/profile/account";
const DETAILS = "/profile/details";
const REGISTRATION = "/users/guest_registration";
const NEW_SESSION = "/sessions/new";
const ACTION = "/sessions/the-show";

/** Each message of the validation, and a form whose page shows it. */
const messages: [message: string, reader: Reader, path: string, fields: Record<string, string>][] = [
  ["has already been taken", player, DETAILS, { "user[username]": other.username }],
  ["is reserved", player, DETAILS, { "user[username]": "admin" }],
  ["is too short (minimum is 3 characters)", player, DETAILS, { "user[username]": "ab" }],
  ["is too long (maximum is 20 characters)", player, DETAILS, { "user[username]": "a".repeat(21) }],
  ["is invalid", player, DETAILS, { "user[phone]": "12" }],
  ["can't be blank", admin, NEW_SESSION, { name: "" }],
  ["is not a number", admin, NEW_SESSION, { name: "Cup", lead_seconds: "soon" }],
  ["must be an integer", admin, NEW_SESSION, { name: "Cup", lead_seconds: "1.5" }],
  ["must be greater than or equal to 0", admin, NEW_SESSION, { name: "Cup", lead_seconds: "-1" }],
  ["must be less than or equal to 600", admin, NEW_SESSION, { name: "Cup", lead_seconds: "601" }],
  ["must be accepted", stranger, REGISTRATION, { "user[email]": "new@example.test" }],
  ["has insufficient balance to cover", player, ACTION, { spot_id: open, wager: "400" }],
  ["has wrong state", player, ACTION, { spot_id: closed, wager: "1" }],
  ["must exist", player, ACTION, { spot_id: "999999", wager: "1" }],
  ["doesn't match Password", player, ACCOUNT, { intent: "password", "user[password_confirmation]": "else" }],
  ["is not a valid date", admin, NEW_SESSION, { name: "Cup", starts_at: "2026-02-31T20:00" }],
  [
    "Invalid credentials or password.",
    stranger,
    "/users/sign_in",
    { "user[email]": "who@example.test", "user[password]": "wrong" },
  ],
];

test.each(messages)(
  "%s is shown on the page of the form that it concerns",
  async (message, reader, path, fields) => {
    const answer = await reader.sendForm(path, fields);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(parsePage(answer.html).querySelector("main")?.textContent).toContain(message);
  },
);
