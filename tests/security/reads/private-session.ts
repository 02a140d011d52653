import { registrations } from "#db/schema/sessions.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { buildCall, buildEvent, buildRunningSession } from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { admins, hosts, newText, type ViewerName } from "./markers.ts";
import type { Things } from "./own-things.ts";

type Members = { owner: { id: number }; host: { id: number } };
type Private = { sessionId: number; session: SessionRow; name: string; slug: string };

/** A private show that the owner has joined, planned for later and running. Nothing has happened in it. */
export async function buildPrivate(deps: TestDeps, { owner }: Members): Promise<Private> {
  const [name, slug] = [newText(), newText().toLowerCase()];
  const session = await buildRunningSession(deps, { slug, name, settings: { private: true } });
  await deps.pool.db
    .insert(registrations)
    .values({ sessionId: session.id, userId: owner.id, displayName: "Owner" });
  return { sessionId: session.id, session, name, slug };
}

/** Plays in it: a question that is open, one with a result, a message. It stays the active session, to which players are led. */
export async function fillPrivate(
  deps: TestDeps,
  { owner, host }: Members,
  { session, name, slug }: Private,
): Promise<Things> {
  const [asked, settled, label, said] = [newText(), newText(), newText(), newText()];
  const { id: sessionId, joinCode } = session;
  const terms = { sessionId, durationSeconds: 900, trueLabel: label };
  const open = await buildEvent(deps, "open", { ...terms, title: asked });
  const done = await buildEvent(deps, "open", { ...terms, title: settled });
  await buildCall(deps, { userId: owner.id, eventId: open.id });
  const callId = await buildCall(deps, { userId: owner.id, eventId: done.id });
  await resolveAndPay(deps, { eventId: done.id, actor: host, result: "true" });
  await buildMessage(deps, { sessionId, userId: owner.id, body: said });
  const members: ViewerName[] = ["owner", ...hosts];
  const told: ViewerName[] = [...members, "receiver"];
  return {
    markers: [
      { what: "the name of a private show", text: name, readers: told },
      { what: "the address of a private show", text: slug, readers: told },
      { what: "an open question of a private show", text: asked, readers: told },
      { what: "a settled question of a private show", text: settled, readers: told },
      { what: "a side of a private show", text: label, readers: told },
      { what: "a message of a private show", text: said, readers: members },
      { what: "the code of a private show", text: joinCode, readers: [...members, ...admins] },
    ],
    parts: {
      sessions: [slug],
      events: [String(open.id), String(done.id)],
      calls: [String(callId)],
      history: [String(callId)],
    },
  };
}
