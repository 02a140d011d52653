import { describe, expect, test } from "bun:test";
import { inTransaction, type Transaction } from "#db/client.ts";
import { type SpotState, spotStates } from "#db/lists/spots.ts";
import { closeSpots, hideSpots, openSpots, resolveSpots } from "#src/play/spots/move-spots.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { testWorld } from "#tests/support/world.ts";

// The books compare the winners with the results of their events, which do not change here.
const { db, build, read } = await testWorld({}, { checkBooks: false });

const at = new Date().toISOString();
type Verb = (tx: Transaction, eventId: number) => Promise<void>;
/** The allowed transitions, written independently of the product's table. */
const transitions: Record<"open_spot" | "close" | "resolve_spot" | "hide", Transition> = {
  open_spot: { from: ["closed"], to: "open" },
  close: { from: ["open"], to: "closed" },
  resolve_spot: { from: ["closed"], to: "closed" },
  hide: { from: ["open", "closed"], to: "soft_destroyed" },
};
const labels: Record<keyof typeof transitions, string> = {
  open_spot: "Open",
  close: "Close",
  resolve_spot: "Resolve",
  hide: "Destroy",
};
type Transition = { from: SpotState[]; to: SpotState };

const verbs: Record<keyof typeof transitions, Verb> = {
  open_spot: (tx, eventId) => openSpots(tx, [eventId], at),
  close: (tx, eventId) => closeSpots(tx, [eventId], at),
  resolve_spot: (tx, eventId) => resolveSpots(tx, new Map([[eventId, "true"]]), at),
  hide: hideSpots,
};

/** The spots of a draft, brought into a state. */
async function buildSpots(state: SpotState): Promise<number> {
  const { id } = await build.draft();
  await inTransaction(db, async (tx) => {
    if (state === "open") await openSpots(tx, [id], at);
    if (state === "soft_destroyed") await hideSpots(tx, id);
  });
  return id;
}

const pairs = (["open_spot", "close", "resolve_spot", "hide"] as const).flatMap((name) =>
  spotStates.map((state) => {
    const { from, to } = transitions[name];
    return { name, state, to: from.includes(state) ? to : null };
  }),
);

describe("every transition of a spot from every state", () => {
  test.each(pairs.filter(({ to }) => to !== null))(
    "$name leads from $state to $to",
    async ({ name, state, to }) => {
      const eventId = await buildSpots(state);
      await inTransaction(db, (tx) => verbs[name](tx, eventId));
      const spots = await read.spots(eventId);
      expect([spots.true.state, spots.false.state]).toEqual([to ?? "open", to ?? "open"]);
      expect([spots.true.won, spots.false.won]).toEqual(
        name === "resolve_spot" ? [true, false] : [null, null],
      );
    },
  );

  test.each(pairs.filter(({ to }) => to === null))(
    "$name of a $state spot is refused by its label, and changes nothing",
    async ({ name, state }) => {
      const eventId = await buildSpots(state);
      const before = await read.spots(eventId);
      const refusal = await refusalOf(inTransaction(db, (tx) => verbs[name](tx, eventId)));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${labels[name]}"`] });
      expect(await read.spots(eventId)).toEqual(before);
    },
  );
});
