import { migrate } from "#db/migrate.ts";
import { readEnv } from "./env.ts";
import { createLog } from "./log.ts";

// bun run migrate: brings the database that the settings name to the newest schema. `bun run start` does it by itself.
const env = readEnv();
await migrate(env.databaseUrl);
createLog(env, "migrate").info("the schema is up to date");
