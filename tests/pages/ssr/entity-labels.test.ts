import { describe, expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { buildSessionIn } from "#tests/show/sessions/fixtures.ts";
import { buildBlueprint, buildCall, buildEvent, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { oneOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers } from "./viewers.ts";

const deps = await testDeps();
const server = createServer(deps);
const { readers, users } = await buildViewers(deps, server);
const show = await buildRunningSession(deps, { slug: "the-show", name: "The Show" });
const open = async (path: string) => parsePage((await readers.admin.open(path)).html);

describe("the Admin tab", () => {
  test.each([
    ["draft", "Draft"],
    ["visible", "Visible"],
    ["open", "Open"],
    ["closed", "Closed"],
    ["hidden", "Hidden"],
  ] as const)("an event that is %s is called %s in the running order", async (state, label) => {
    const { id } = await buildEvent(deps, state, { sessionId: show.id });
    const page = await open(`/sessions/the-show/admin?event=${id}`);
    expect(textsOf(page, `li[data-event="${id}"] .st`)).toEqual([label]);
  });

  // Of each action the state that allows it, because a button that is not allowed sends nothing.
  test.each([
    ["publish_event", "draft", "Publish"],
    ["open_event", "visible", "Open"],
    ["close_event", "open", "Close"],
    ["reset", "closed", "Reset"],
    ["hide", "visible", "Hide"],
    ["show", "hidden", "Show"],
  ] as const)("sends %s of a %s event with the button %s", async (intent, state, label) => {
    const { id } = await buildEvent(deps, state, { sessionId: show.id });
    const page = await open(`/sessions/the-show/admin?event=${id}`);
    const selector = `section[aria-label="By hand"] button[name="intent"][value="${intent}"]`;
    expect(textsOf(page, selector)).toEqual([label]);
  });

  test("names the panel in which an event is resolved", async () => {
    const { id } = await buildEvent(deps, "closed", { sessionId: show.id });
    const page = await open(`/sessions/the-show/admin?event=${id}`);
    expect(textsOf(page, 'section[aria-label="Resolve"] h3')).toEqual(["Resolve"]);
  });

  test("asks for a True Label and a False Label of a new action", async () => {
    const page = await open("/sessions/the-show/admin");
    const labelOf = (name: string) =>
      oneOf(page, `.composer input[name="${name}"]`).getAttribute("placeholder");
    expect([labelOf("true_label"), labelOf("false_label")]).toEqual(["True Label", "False Label"]);
  });
});

test("a blueprint's events have a True Label and a False Label", async () => {
  const blueprint = await buildBlueprint(deps, [{ trueLabel: "Goal", falseLabel: "No goal" }]);
  const page = await open(`/blueprints/${blueprint.id}`);
  expect(textsOf(page, "th")).toEqual(expect.arrayContaining(["True Label", "False Label"]));
});

test.each([
  ["pending", "Pending"],
  ["running", "Running"],
  ["paused", "Paused"],
  ["stopped", "Stopped"],
] as const)("a session that is %s is called %s", async (state, label) => {
  const { slug } = await buildSessionIn(deps, state);
  const page = await open(`/sessions/${slug}/admin`);
  expect(textsOf(page, ".session-deck .standing .pill").slice(0, 1)).toEqual([label]);
});

test("the leaderboard has the columns Won and Lost", async () => {
  const { id: eventId } = await buildEvent(deps, "open", { sessionId: show.id });
  await buildCall(deps, { userId: users.player.id, eventId, side: "true" });
  await buildCall(deps, { userId: users.operator.id, eventId, side: "false" });
  await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  const page = await open("/leaderboard");
  expect(textsOf(page, "th")).toEqual(expect.arrayContaining(["Won", "Lost"]));
});
