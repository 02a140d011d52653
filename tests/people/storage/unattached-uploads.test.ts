import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { discardBlobs, sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { PNG_BYTES, sendBytes, upload } from "./uploads.ts";

const deps = await testDeps();
const server = createServer(deps);
const browser = await signedInClient(deps, server, await buildPlayer(deps));

const read = (signedId: string) =>
  server.handle(new Request(`http://localhost:3000/api/v1/storage/blobs/${signedId}/notes.png`));

describe("unattached uploads", () => {
  const makeOld = (id: number) =>
    deps.pool.db
      .update(blobs)
      .set({ createdAt: sql`clock_timestamp() - interval '25 hours'` })
      .where(eq(blobs.id, id));

  test("are deleted with their bytes after a day; others stay", async () => {
    const [old, young, held] = [
      await upload(server, browser, PNG_BYTES),
      await upload(server, browser, PNG_BYTES),
      await upload(server, browser, PNG_BYTES),
    ];
    await makeOld(old.id);
    await makeOld(held.id);
    await deps.pool.db.update(blobs).set({ attachedAt: new Date() }).where(eq(blobs.id, held.id));

    await sweepBlobs(deps);

    expect(await deps.pool.db.$count(blobs, eq(blobs.id, old.id))).toBe(0);
    expect(await deps.store.get(old.key)).toBeNull();
    expect((await read(old.signedId)).status).toBe(404);
    for (const remaining of [young, held]) expect((await read(remaining.signedId)).status).toBe(200);
  });

  test("are not served and accept no bytes once discarded", async () => {
    const { id, key, signedId, directUpload } = await upload(server, browser, PNG_BYTES);
    await discardBlobs(deps.pool.db, [id]);
    expect((await read(signedId)).status).toBe(404);
    expect((await sendBytes(server, directUpload, PNG_BYTES)).status).toBe(404);
    await sweepBlobs(deps);
    expect(await deps.store.get(key)).toBeNull();
  });
});
