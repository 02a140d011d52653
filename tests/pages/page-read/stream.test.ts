import { expect, test } from "bun:test";
import {
  type ActionSnapshot,
  type ActionState,
  initialActionState,
  reduceActionState,
} from "#client/events/action-state.ts";
import { createRandom, type Random } from "#src/base/random.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { readMissedAfter } from "#src/base/streams/stream-offsets.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { PageData } from "#src/pages/page-read/prefetch-page-data.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { worldOf } from "#tests/support/world.ts";
import { readPage } from "./read-page.ts";

const plain = await testDeps();
const relay = createRelay(plain);
afterFile(() => relay.stop());
const deps = { ...plain, notifyRelay: () => relay.notify() };
const { build, timer } = worldOf(deps);

test.each([1, 2, 3, 4])(
  "a page follows its stream from its own offset, whatever is lost, doubled or late (%d)",
  async (seed) => {
    const dice = createRandom(`stream ${seed}`);
    const { read, sessionId, act } = await buildShow(dice);
    const page = await read();
    const offset = page.offsets.session;
    if (offset === null) throw new Error("the page has no offset");
    for (let step = 0; step < 6; step += 1) await act();
    const fresh = shownIn(initialActionState(snapshotIn(await read())));
    const follow = async () =>
      (await readMissedAfter(deps.redis, sessionStream(sessionId), { after: offset })).messages.map(
        messageIn,
      );
    const started = initialActionState(snapshotIn(page));
    const messages = await waitFor("the stream to lead to what a fresh page shows", async () => {
      const all = await follow();
      return Bun.deepEquals(shownIn(deliver(started, all)), fresh) ? all : null;
    });
    const doubled = messages.flatMap((message) => [message, message]);
    expect(shownIn(deliver(started, doubled))).toEqual(fresh);
    const some = deliver(
      started,
      messages.filter(() => dice.chance(0.5)),
    );
    const refetched = reduceActionState(some, { kind: "snapshot", snapshot: snapshotIn(await read()) });
    expect(shownIn(refetched)).toEqual(fresh);
    expect(shownIn(deliver(refetched, messages))).toEqual(fresh);
  },
);

async function buildShow(dice: Random) {
  const session = await build.runningSession();
  const credentials = await signInDirectly(deps, await build.player());
  const callers = await Promise.all([1, 2, 3].map(() => build.player()));
  const terms = { sessionId: session.id, durationSeconds: 600 };
  const [first, second] = [await build.event("open", terms), await build.event("resolved", terms)];
  const draft = await build.draft(terms);
  const called = async () => {
    for (const { id: userId } of callers)
      await build.call({ userId, eventId: first.id, side: dice.chance(0.5) ? "true" : "false" });
    relay.notify();
  };
  const acts = [
    called,
    () => timer.pause(session.id),
    () => timer.resume(session.id),
    () => timer.publish(draft.id),
    () => timer.update(first.id, { title: `Really ${dice.roll()}?` }),
    () => timer.open(draft.id),
    () => timer.close(first.id),
    () => timer.settle(first.id, dice.chance(0.5) ? "true" : "void"),
    () => timer.reset(second.id, "A mistake."),
  ].values();
  return {
    sessionId: session.id,
    read: () => readPage(deps, `/sessions/${session.slug}`, credentials),
    /** Sometimes leaves one out, so that each show is another one. */
    act: async () => {
      if (dice.chance(0.2)) acts.next();
      await acts
        .next()
        .value?.()
        .catch(() => undefined);
    },
  };
}

function snapshotIn({ session, action }: PageData): ActionSnapshot {
  if (session === null || action === null) throw new Error("the page has no session");
  const { events, leaders, active, serverTime } = action;
  return {
    session,
    nextSession: active?.slug === session.slug ? null : active,
    events,
    leaders: leaders.leaders,
    me: leaders.me,
    playersCount: leaders.totalCount,
    asOf: serverTime,
  };
}

function messageIn({ text }: { text: string }): SessionMessage {
  const message: SessionMessage = JSON.parse(text);
  return message;
}

function deliver(state: ActionState, messages: readonly SessionMessage[]): ActionState {
  return messages.reduce((next, message) => reduceActionState(next, { kind: "message", message }), state);
}

/** What all viewers see. The number of registrations is not broadcast, and what a result pays is kept until the own payment. */
function shownIn({ events: known, session, leaders, playersCount }: ActionState) {
  const events = known.map(({ payoutTerms: _terms, ...event }) => event);
  return { events, session: { ...session, registrationsCount: 0 }, leaders, playersCount };
}
