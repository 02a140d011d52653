import { eq } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import {
  type DemoBlueprint,
  demoBlueprints,
  type DemoQuestion,
  REHEARSAL_DURATION_SECONDS,
  REHEARSAL_LEAD_SECONDS,
  REHEARSAL_RESOLVE_WITHIN_SECONDS,
  REHEARSAL_WAIT_SECONDS,
  rehearsalBlueprint,
} from "#db/seeds/blueprints.ts";
import { START_DEFAULT, WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";

const HOSTED_DURATION_SECONDS = 30;
const CENTS_PER_DOLLAR = 100;

type NewEvent = Omit<typeof blueprintEvents.$inferInsert, "blueprintId">;

/** Inserts the demo's blueprints that do not exist yet, by their names. */
export async function seedBlueprints(db: Parameters<typeof inTransaction>[0]): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const blueprint of demoBlueprints) await seedBlueprint(tx, blueprint, describeHosted);
    await seedBlueprint(tx, rehearsalBlueprint, describeRehearsed);
  });
}

/** The id of the blueprint with this name; null if there is none. */
export async function findBlueprintId(db: Queryable, name: string): Promise<number | null> {
  const [blueprint] = await db
    .select({ id: blueprints.id })
    .from(blueprints)
    .where(eq(blueprints.name, name))
    .limit(1);
  return blueprint?.id ?? null;
}

async function seedBlueprint(
  tx: Transaction,
  { name, description, questions, teams = [] }: DemoBlueprint,
  describe: (question: DemoQuestion, index: number) => NewEvent,
): Promise<void> {
  if ((await findBlueprintId(tx, name)) !== null) return;
  const defaults = {
    ...(name === rehearsalBlueprint.name ? { leadSeconds: REHEARSAL_LEAD_SECONDS } : {}),
    ...(teams.length === 0 ? {} : { teams }),
  };
  const [blueprint] = await tx
    .insert(blueprints)
    .values({ name, description, defaults })
    .returning({ id: blueprints.id });
  if (blueprint === undefined) throw new Error("the insert of a blueprint returned no row");
  const rows = questions.map((question, index) => ({
    ...describe(question, index),
    blueprintId: blueprint.id,
  }));
  await tx.insert(blueprintEvents).values(rows);
}

/** An event that a host resolves. */
function describeHosted(question: DemoQuestion, index: number): NewEvent {
  return {
    ...textsOf(question),
    position: index + 1,
    // As in the editor: the first one opens with the start of the session, which gives it its lead.
    ...(index > 0 && { startMode: START_DEFAULT, offsetSeconds: WAIT_DEFAULT_SECONDS }),
    durationSeconds: question.durationSeconds ?? HOSTED_DURATION_SECONDS,
    maxWagerCents:
      question.maxWagerDollars === undefined ? null : question.maxWagerDollars * CENTS_PER_DOLLAR,
  };
}

/** An event that resolves itself. */
function describeRehearsed(question: DemoQuestion, index: number): NewEvent {
  return {
    ...textsOf(question),
    position: index + 1,
    offsetSeconds: index === 0 ? 0 : REHEARSAL_WAIT_SECONDS,
    durationSeconds: REHEARSAL_DURATION_SECONDS,
    resolveWithinSeconds: REHEARSAL_RESOLVE_WITHIN_SECONDS,
    autoResult: "random",
  };
}

function textsOf({ title, description, trueLabel, falseLabel }: DemoQuestion) {
  return {
    title,
    description: description ?? "",
    trueLabel: trueLabel ?? "True",
    falseLabel: falseLabel ?? "False",
  };
}
