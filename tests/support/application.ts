import { connect } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import type { Deps } from "#src/base/deps.ts";
import { afterFile } from "./after-file.ts";
import { POOL_SIZE } from "./database.ts";

/** The same dependencies, with a pool of the application's role instead of the owner's. It is closed at the end of the file. */
export function asApplication<Given extends Deps>(deps: Given): Given {
  const url = new URL(deps.env.databaseUrl);
  url.username = APPLICATION_ROLE;
  const pool = connect(url.toString(), { poolSize: POOL_SIZE });
  afterFile(() => pool.close());
  return { ...deps, pool };
}
