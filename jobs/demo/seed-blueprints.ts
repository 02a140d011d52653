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
import type { Deps } from "#src/base/deps.ts";
import { attachPicture, storePicture } from "#src/people/pictures/store-picture.ts";
import { START_DEFAULT, WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { questionPictureKind } from "#src/show/events/question-picture.ts";

const HOSTED_DURATION_SECONDS = 30;
const CENTS_PER_DOLLAR = 100;

type NewEvent = Omit<typeof blueprintEvents.$inferInsert, "blueprintId">;

/** Inserts the demo's blueprints that do not exist yet, by their names. */
export async function seedBlueprints(deps: Pick<Deps, "pool" | "store">): Promise<void> {
  const pictures = await drawPictures(deps);
  await inTransaction(deps.pool.db, async (tx) => {
    for (const blueprint of demoBlueprints)
      await seedBlueprint(tx, blueprint, (question, index) => ({
        ...describeHosted(question, index),
        picture: pictures.get(question.title) ?? null,
      }));
    await seedBlueprint(tx, rehearsalBlueprint, describeRehearsed);
  });
}

/** Draws the pictures of questions whose blueprint does not exist yet, by their titles. */
async function drawPictures(deps: Pick<Deps, "pool" | "store">) {
  const drawn = new Map<string, { key: string; width: number; height: number; alt: string }>();
  for (const { name, questions } of demoBlueprints) {
    if ((await findBlueprintId(deps.pool.db, name)) !== null) continue;
    for (const { title, picture } of questions) {
      if (picture === undefined) continue;
      const { key, width, height, ...made } = await storePicture(deps, questionPictureKind, {
        bytes: Buffer.from(picture.svg),
      });
      await attachPicture(deps.pool.db, made);
      drawn.set(title, { key, width, height, alt: picture.alt });
    }
  }
  return drawn;
}

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

function textsOf({ title, description, trueLabel, falseLabel, explanation, hostNote }: DemoQuestion) {
  return {
    title,
    description: description ?? "",
    explanation: explanation ?? "",
    hostNote: hostNote ?? "",
    trueLabel: trueLabel ?? "True",
    falseLabel: falseLabel ?? "False",
  };
}
