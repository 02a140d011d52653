import { expect, test } from "bun:test";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildDraft, buildSession } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build } = await testWorld();
const relays = await Relays.open(deps);
const admin = await build.admin();
afterFile(async () => {
  await relays.stop();
  relays.listener.stop();
});

test("the deletion of a session is broadcast", async () => {
  const web = relays.start();
  const { id: sessionId, version } = await buildSession(web);
  await relays.sendAndClear(web);
  await destroySession(web, { sessionId, actor: admin });
  const [message] = await waitFor("the message", () => {
    const messages = relays.listener.session(sessionId);
    return messages.length > 0 && messages;
  });
  expect(message).toMatchObject({
    sourceType: "Session",
    eventType: "destroy",
    detail: { sessionId, version: version + 1 },
  });
});

test("a waiting fact of a deleted session does not block the facts of other sessions", async () => {
  const web = relays.start();
  const [deleted, other] = [await buildSession(web), await buildSession(web)];
  await buildDraft(web, { sessionId: deleted.id });
  await relays.sendAndClear(web);
  // The first process does not notify its relay.
  await updateSession(deps, { sessionId: deleted.id, actor: admin, changes: { name: "Never broadcast" } });
  await destroySession(deps, { sessionId: deleted.id, actor: admin });
  await updateSession(web, { sessionId: other.id, actor: admin, changes: { name: "Broadcast" } });
  await relays.allSent();
  await waitFor("the other session's message", () => relays.listener.session(other.id).length > 0);
});
