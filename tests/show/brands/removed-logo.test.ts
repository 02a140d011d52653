import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { blobs } from "#db/schema/blobs.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { sweepLogos } from "#src/show/blueprints/removals.ts";
import { logoKeyIn } from "#src/show/brands/contract.ts";
import { brandSchema } from "#src/show/brands/schemas.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { upload } from "#tests/people/storage/uploads.ts";
import { only } from "#tests/support/build.ts";
import { stopClockAt } from "#tests/support/database.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, server, client } = await testWorld();
const host = await client(await build.admin());

test("the logo of a removed blueprint is kept as long as the removal can be undone", async () => {
  const blueprint = await build.blueprint();
  const path = `/api/v1/blueprints/${blueprint.id}`;
  const { signedId } = await upload(server, host, await picture("png", { width: 200, height: 50 }));
  await host.send("PATCH", path, { blueprint: { defaults: { brand: { logo: signedId } } } });
  const { defaults } = only(await db.select().from(blueprints).where(eq(blueprints.id, blueprint.id)));
  const { logo } = v.parse(v.object({ brand: brandSchema }), defaults).brand;
  const discardedAt = async () =>
    only(
      await db
        .select()
        .from(blobs)
        .where(eq(blobs.key, logoKeyIn(logo ?? ""))),
    ).discardedAt;
  await sweepLogos(deps);
  expect(await discardedAt()).toBeNull();
  await host.send("DELETE", path);
  await sweepLogos(deps);
  expect(await discardedAt()).toBeNull();
  await stopClockAt(deps.pool, new Date(Date.now() + 26 * 3_600_000));
  await sweepLogos(deps);
  expect(await discardedAt()).not.toBeNull();
});
