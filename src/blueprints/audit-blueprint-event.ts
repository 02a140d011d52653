import type { Transaction } from "#db/client.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { BlueprintEventRow } from "./with-blueprint.ts";

type Change = {
  actor: Actor;
  action: "create_blueprint_event" | "update_blueprint_event" | "destroy_blueprint_event";
  before: BlueprintEventRow | null;
  after: BlueprintEventRow | null;
};

/** Writes who changed an event of a blueprint: all of it before and after; null where it was not there. */
export async function auditBlueprintEvent(tx: Transaction, { before, after, ...who }: Change): Promise<void> {
  const id = (after ?? before)?.id;
  if (id === undefined) throw new Error("a change has something before or after it");
  await writeAudit(tx, {
    ...who,
    subject: { type: "blueprint_event", id },
    sessionId: null,
    before: termsOf(before),
    after: termsOf(after),
  });
}

/** What an audit line keeps of an event. */
export function termsOf(event: BlueprintEventRow | null) {
  if (event === null) return {};
  const { createdAt: _createdAt, updatedAt: _updatedAt, ...terms } = event;
  return terms;
}
