import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import type { Env } from "#src/settings/env.ts";

const TOP = path.join(import.meta.dir, "../..");
const packageFile = v.object({ version: v.string() });

type Version = {
  /** By semantic versioning. */
  release: string;
  /** Null if it is not known. */
  commit: string | null;
  /** The newest migration that this program knows. */
  schema: string;
  bun: string;
};

export function readVersion({ commit }: Pick<Env, "commit">): Version {
  const { version } = v.parse(packageFile, JSON.parse(readFileSync(path.join(TOP, "package.json"), "utf8")));
  const migrations = readdirSync(path.join(TOP, "db/migrations")).filter((file) => file.endsWith(".sql"));
  const schema =
    migrations
      .toSorted()
      .at(-1)
      ?.replace(/\.sql$/, "") ?? "";
  return { release: version, commit, schema, bun: Bun.version };
}
