import { expect, test } from "bun:test";
import { destroySession } from "#src/sessions/destroy-session.ts";
import { updateSession } from "#src/sessions/update-session.ts";
import { Relays } from "#tests/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin, buildDraft, buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const deps = await testDeps();
const relays = await Relays.open(deps);
const admin = await buildAdmin(deps);
afterFile(async () => {
  await relays.stop();
  relays.listener.stop();
});

test("everybody in a session hears of its new name at once", async () => {
  const web = relays.start();
  const { id: sessionId } = await buildSession(web);
  await relays.sendAndClear(web);
  await updateSession(web, { sessionId, actor: admin, changes: { name: "Cup final" } });
  const [message] = await waitFor("the message", () => {
    const heard = relays.listener.session(sessionId);
    return heard.length > 0 && heard;
  });
  expect(message).toMatchObject({
    sourceType: "Session",
    eventType: "update",
    detail: { session: { id: sessionId, name: "Cup final", registered: false }, version: 1 },
  });
});

test("everybody in a session hears that it is deleted", async () => {
  const web = relays.start();
  const { id: sessionId, version } = await buildSession(web);
  await relays.sendAndClear(web);
  await destroySession(web, { sessionId, actor: admin });
  const [message] = await waitFor("the message", () => {
    const heard = relays.listener.session(sessionId);
    return heard.length > 0 && heard;
  });
  expect(message).toMatchObject({
    sourceType: "Session",
    eventType: "destroy",
    detail: { sessionId, version: version + 1 },
  });
});

test("what waits to be told of a session that is deleted meanwhile stops nobody else's news", async () => {
  const web = relays.start();
  const [gone, other] = [await buildSession(web), await buildSession(web)];
  await buildDraft(web, { sessionId: gone.id });
  await relays.sendAndClear(web);
  // The first process does not ring its relay.
  await updateSession(deps, { sessionId: gone.id, actor: admin, changes: { name: "Never heard" } });
  await destroySession(deps, { sessionId: gone.id, actor: admin });
  await updateSession(web, { sessionId: other.id, actor: admin, changes: { name: "Heard" } });
  await relays.allSent();
  await waitFor("the other's news", () => relays.listener.session(other.id).length > 0);
});
