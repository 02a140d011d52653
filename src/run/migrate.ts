import { migrate } from "#db/migrate.ts";
import { createLog } from "#src/base/log.ts";
import { readEnv } from "#src/settings/env.ts";

// bun run migrate: brings the database that the settings name to the newest schema. `bun run start` does it by itself.
const env = readEnv();
await migrate(env.databaseUrl);
createLog(env, "migrate").info("the schema is up to date");
