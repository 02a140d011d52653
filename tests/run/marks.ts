import { connect, type DatabasePool } from "#db/client.ts";
import { dataFolderOf } from "#db/embedded/data-folder.ts";

/** Works on the database of a data folder as the owner of its tables. */
export async function asOwner<Result>(
  dataDir: string,
  work: (pool: DatabasePool) => Promise<Result>,
): Promise<Result> {
  await using pool = connect(dataFolderOf(dataDir).ownerUrl, { poolSize: 1 });
  return await work(pool);
}

/** Writes something new into the database of a data folder. @returns what. */
export async function writeMark(dataDir: string): Promise<string> {
  const mark = crypto.randomUUID();
  await asOwner(dataDir, async ({ sql }) => {
    await sql`CREATE TABLE IF NOT EXISTS marks (row text)`;
    await sql`DELETE FROM marks`;
    await sql`INSERT INTO marks VALUES (${mark})`;
  });
  return mark;
}

/** Reads what `writeMark` has written. */
export async function readMark(dataDir: string): Promise<unknown> {
  const [mark] = await asOwner(dataDir, ({ db }) => db.execute("SELECT row FROM marks"));
  return mark?.["row"];
}

/** True if the database of this folder answers now. */
export function databaseAnswers(dataDir: string): Promise<boolean> {
  return asOwner(dataDir, ({ sql }) => sql`SELECT 1`).then(
    () => true,
    () => false,
  );
}
