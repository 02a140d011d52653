import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { cleanLine, cleanText } from "#src/http/texts/contract.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { blueprintAnswer } from "#src/show/blueprints/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, build, client } = await testWorld();
const asAdmin = await client(await build.admin());

/** Texts that look like everything that the reader understands in texts of others. */
const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom(
    '"',
    "'",
    ",",
    ";",
    "|",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "=1+1",
    "'=x",
    ";=1",
    ";'=1",
    '; "=1',
    "@a",
    "-5",
    "1. ",
    "Q1: ",
  ),
  fc.constantFrom("• ", "# ", "sep=;", "question", "true", "[", "{", "“a”", "\uFEFF", "\u00A0", "?", " "),
);
/** Texts as they are stored. */
const text = (min: number, max: number, clean: (text: string) => string = cleanLine) =>
  fc
    .array(piece, { minLength: min, maxLength: 8 })
    .map((pieces) => clean(pieces.join("").slice(0, max).toWellFormed()))
    .filter((made) => made.length >= min && !made.includes("\uFFFD"));
const { titleLengthMax, labelLengthMax, descriptionLengthMax, explanationLengthMax, hostNoteLengthMax } =
  blueprintLimits;
const event = fc
  .record({
    title: text(1, titleLengthMax),
    trueLabel: text(1, labelLengthMax),
    falseLabel: text(1, labelLengthMax),
    description: text(0, descriptionLengthMax, cleanText),
    explanation: text(0, explanationLengthMax, cleanText),
    hostNote: text(0, hostNoteLengthMax, cleanText),
    startMode: fc.constantFrom("after_previous", "offset", "after_result", "by_hand"),
    offsetSeconds: fc.integer({ min: 0, max: 86_400 }),
    durationSeconds: fc.integer({ min: 5, max: 1_800 }),
    resolveWithinSeconds: fc.integer({ min: 0, max: 86_400 }),
    minWagerCents: fc.integer({ min: 1, max: 100_000 }),
    more: fc.option(fc.integer({ min: 0, max: 100_000 })),
    autoResult: fc.constantFrom("true", "false", "random", null),
  })
  .filter(({ trueLabel, falseLabel }) => trueLabel.toLowerCase() !== falseLabel.toLowerCase())
  .map(({ more, ...terms }) => ({
    ...terms,
    maxWagerCents: more === null ? null : terms.minWagerCents + more,
  }));

async function rowsOf(blueprintId: number) {
  const rows = await db
    .select()
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, blueprintId))
    .orderBy(asc(blueprintEvents.position));
  return rows.map(
    ({ id: _id, blueprintId: _of, version: _version, createdAt: _c, updatedAt: _u, ...terms }) => terms,
  );
}

async function exported(blueprintId: number, format: "csv" | "json"): Promise<string> {
  const { body } = await asAdmin.get(`/api/v1/blueprints/${blueprintId}/export.${format}`);
  return typeof body === "string" ? body : JSON.stringify(body, null, 2);
}

test("what is exported, as CSV or JSON, is imported as it was, whatever its texts are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 6 }), async (events) => {
      const { id } = await build.blueprint(events);
      const rows = await rowsOf(id);
      for (const format of ["csv", "json"] as const) {
        const file = await exported(id, format);
        const sent = await asAdmin.send("POST", "/api/v1/blueprints/import", {
          blueprint: { text: file, name: format === "csv" ? "Brought" : undefined },
        });
        expect([sent.status, sent.body]).toEqual([201, expect.anything()]);
        expect(await rowsOf(v.parse(blueprintAnswer, sent.body).blueprint.id)).toEqual(rows);
      }
    }),
    { numRuns: 20 },
  );
});
