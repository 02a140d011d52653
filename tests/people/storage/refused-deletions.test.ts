import { beforeEach, expect, test } from "bun:test";
import { inArray } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { retryFailingRows } from "#src/base/try-rows.ts";
import { readState } from "#src/operate/metrics/process-metrics.ts";
import { sendWaiting } from "#src/operate/operations/manage-queues.ts";
import { showOperations } from "#src/operate/operations/show-operations.ts";
import { newBlobKey } from "#src/people/storage/announce-upload.ts";
import { discardBlobs, sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { runCheck } from "#tests/operate/checks/run-check.ts";
import { givePassword, Person } from "#tests/people/users/person.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { problem, startS3Server } from "#tests/support/s3-server.ts";
import { testWorld } from "#tests/support/world.ts";

const s3 = startS3Server();
const { deps, db, server, build } = await testWorld({ STORAGE: s3.address });
const { id: adminId, email } = await build.admin();
await givePassword(deps, adminId);
const admin = new Person(server);
await admin.signIn(email);
afterFile(() => s3.stop());
beforeEach(() => s3.refuse(null));

const denied = () => problem(403, "AccessDenied");

/** A stored picture that nothing refers to any more. */
async function buildDiscarded(): Promise<{ id: number; key: string }> {
  const key = newBlobKey();
  await deps.store.put(key, new Uint8Array([1]), "image/webp");
  const values = { key, filename: "a.webp", contentType: "image/webp", byteSize: 1, checksum: "x" };
  const { id } = only(await db.insert(blobs).values(values).returning({ id: blobs.id }));
  await discardBlobs(db, [id]);
  return { id, key };
}
const rowsOf = (ids: readonly number[]) =>
  db
    .select()
    .from(blobs)
    .where(inArray(blobs.id, [...ids]));
const storageState = async () => (await runCheck(deps, "storage")).state;
const failing = async () => (await showOperations(deps, new Date())).failingRows ?? [];

test("an object that the bucket refuses to delete holds up no other, is tried again after growing pauses, and operators read why", async () => {
  const [first, stuck, last] = [await buildDiscarded(), await buildDiscarded(), await buildDiscarded()];
  s3.refuse({ method: "DELETE", about: stuck.key, answer: denied });
  await sweepBlobs(deps);
  expect((await rowsOf([first.id, stuck.id, last.id])).map(({ id }) => id)).toEqual([stuck.id]);
  expect([...s3.objects.keys()]).toEqual([`uploads/kept/${stuck.key}`]);

  // The first failure may be a passing one; the second is shown.
  await retryFailingRows(db);
  await sweepBlobs(deps);
  const [row, ...others] = await failing();
  expect(row).toMatchObject({ kind: "stored_file", rowId: stuck.id, attempts: 2 });
  expect([others, row?.reason]).toEqual([
    [],
    expect.stringContaining("The bucket answers 403 AccessDenied."),
  ]);
  const home = await (await admin.get("/admin", { accept: "text/html" })).text();
  expect(home).toContain(`stored file ${stuck.id}`);
  expect(home).toContain("The bucket answers 403 AccessDenied.");
  expect((await readState(deps)).database?.numbers["failing_rows"]).toBe(1);
  expect(await storageState()).toBe("refuses");

  s3.refuse(null);
  await sendWaiting(deps);
  await sweepBlobs(deps);
  expect([await failing(), s3.objects.size]).toEqual([[], 0]);
  expect(await storageState()).toBe("ok");
});
