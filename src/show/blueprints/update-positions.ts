import { inTransaction } from "#db/client.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { findBlueprintId } from "./lock-events.ts";
import { readOrder, renumberEvents } from "./renumber-events.ts";
import type { PositionsBody } from "./schemas.ts";
import { lockBlueprint, touchBlueprint } from "./with-blueprint.ts";

/**
 * Reorders all events of a blueprint.
 * @param positions every event of one blueprint once, with positions 1..n.
 * @returns the id of the blueprint.
 * @throws Refusal 422 for any other list.
 */
export function updatePositions(
  { pool }: Pick<Deps, "pool">,
  { positions, actor }: { positions: PositionsBody; actor: Actor },
): Promise<number> {
  const sorted = positions.toSorted((one, other) => one.position - other.position);
  const order = sorted.map(({ id }) => id);
  const isNumbered = sorted.every(({ position }, index) => position === index + 1);
  return inTransaction(pool.db, async (tx) => {
    const [first] = order;
    const blueprintId = isNumbered && first !== undefined ? await findBlueprintId(tx, first) : null;
    if (blueprintId === null) throw notAPermutation();
    await lockBlueprint(tx, blueprintId);
    const before = await readOrder(tx, blueprintId);
    if (!isPermutation(before, order)) throw notAPermutation();
    await renumberEvents(tx, order);
    await touchBlueprint(tx, blueprintId);
    await writeAudit(tx, {
      actor,
      action: "batch_update_positions",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: { blueprintEventIds: before },
      after: { blueprintEventIds: order },
    });
    return blueprintId;
  });
}

const notAPermutation = () => invalid({ blueprintEvents: ["is invalid"] });

function isPermutation(ids: readonly number[], others: readonly number[]): boolean {
  const expected = new Set(ids);
  return (
    ids.length === others.length &&
    new Set(others).size === others.length &&
    others.every((id) => expected.has(id))
  );
}
