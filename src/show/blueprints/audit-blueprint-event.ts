import type { Transaction } from "#db/client.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { BlueprintEventRow } from "./with-blueprint.ts";

type Change = {
  actor: Actor;
  action: "create_blueprint_event" | "update_blueprint_event" | "destroy_blueprint_event";
  before: BlueprintEventRow | null;
  after: BlueprintEventRow | null;
};

/**
 * Writes a change of a blueprint's event to the audit log.
 * @param before null for a new event.
 * @param after null for a deleted event.
 */
export async function auditBlueprintEvent(
  tx: Transaction,
  { before, after, ...rest }: Change,
): Promise<void> {
  const id = (after ?? before)?.id;
  if (id === undefined) throw new Error("an audited change needs a row before or after it");
  await writeAudit(tx, {
    ...rest,
    subject: { type: "blueprint_event", id },
    sessionId: null,
    before: termsOf(before),
    after: termsOf(after),
  });
}

/** The fields of an event that the audit log stores; none for null. */
export function termsOf(event: BlueprintEventRow | null) {
  if (event === null) return {};
  const { createdAt: _createdAt, updatedAt: _updatedAt, ...terms } = event;
  return terms;
}
