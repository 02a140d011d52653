import { eq } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { type SwitchName, switchNames } from "#db/lists/switches.ts";
import { switchedOff } from "#db/schema/site.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import { switchLabel, TURN_OFF_ACTION, TURN_ON_ACTION } from "#src/base/switches/contract.ts";
import { closedBySetting } from "#src/base/switches/refuse-switched-off.ts";
import type { SwitchesAnswer } from "./schemas.ts";

type SwitchDeps = Pick<Deps, "env" | "pool">;
type Change = { actor: Actor; name: string; on: boolean; reason?: string | undefined };

/**
 * Turns something off or on for the whole site, with an entry in the audit. What it is already changes nothing.
 * @throws Refusal 404 for an unknown name; 409 for what a setting closes.
 */
export async function changeSwitch(
  { env, pool }: SwitchDeps,
  { actor, name: asked, on, reason }: Change,
): Promise<void> {
  const name = switchNames.find((known) => known === asked);
  if (name === undefined) throw notFound();
  const setting = closedBySetting(env)[name];
  if (setting !== undefined) {
    const sentence = `${switchLabel(name)}: the setting ${setting} has closed it. Change it there.`;
    throw new Refusal(409, "by_setting", sentence);
  }
  await inTransaction(pool.db, async (tx) => {
    const id = await turn(tx, name, on);
    if (id === undefined) return;
    await writeAudit(tx, {
      actor,
      action: on ? TURN_ON_ACTION : TURN_OFF_ACTION,
      subject: { type: "switch", id },
      before: { name, on: !on },
      after: { name, on },
      reason: reason === "" ? null : reason,
    });
  });
}

/** @returns the row that says so; undefined: nothing has changed. Of those who do the same at once one changes it. */
async function turn(tx: Queryable, name: SwitchName, on: boolean): Promise<number | undefined> {
  const changed = on
    ? await tx.delete(switchedOff).where(eq(switchedOff.name, name)).returning()
    : await tx.insert(switchedOff).values({ name }).onConflictDoNothing().returning();
  return changed[0]?.id;
}

/** All switches, with what the settings say. */
export async function listSwitches({ env, pool }: SwitchDeps): Promise<SwitchesAnswer> {
  const rows = await pool.db.select().from(switchedOff);
  const settings = closedBySetting(env);
  const switches = switchNames.map((name) => {
    const setting = settings[name] ?? null;
    const row = setting === null ? rows.find((each) => each.name === name) : undefined;
    const offSince = row?.createdAt.toISOString() ?? null;
    return { name, on: setting === null && offSince === null, offSince, setting };
  });
  return { switches, registration: env.registration };
}
