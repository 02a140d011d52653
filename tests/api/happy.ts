import type { Prepare } from "./fixture.ts";
import {
  happyChat,
  happyHosting,
  happyJoinCodes,
  happyReactions,
  happyReplays,
  happySessionHosts,
  happyTeams,
} from "./happy-around-shows.ts";
import { happyBlueprints, happyDryRuns, happyPlans } from "./happy-blueprints.ts";
import { happyFiles, happyShares } from "./happy-files.ts";
import { happyOperations, happySeasons, happyWebhooks } from "./happy-operations.ts";
import {
  happyAccessTokens,
  happyMoney,
  happyPasskeys,
  happyPush,
  happySignIns,
  happyUsers,
} from "./happy-people.ts";
import { happyEvents, happySessions } from "./happy-shows.ts";

/**
 * One request per endpoint that must succeed, by the endpoint's name.
 *
 * A new endpoint needs exactly one entry here, in the `happy-*.ts` file of its chapter. The other tests of this folder take
 * it from here: walk.test.ts sends it, derives all requests that must be refused from it, and records it as the example of
 * the reference; hostile-texts.test.ts replaces its texts; openapi.test.ts and reference-page.test.ts find it in the
 * reference; fuzz.test.ts generates requests from the endpoint's schemas.
 */
export const happy: Readonly<Record<string, Prepare>> = {
  ...happySignIns,
  ...happyUsers,
  ...happyPasskeys,
  ...happyAccessTokens,
  ...happyPush,
  ...happyMoney,
  ...happyFiles,
  ...happySessions,
  ...happyJoinCodes,
  ...happyTeams,
  ...happySessionHosts,
  ...happyEvents,
  ...happyOperations,
  ...happySeasons,
  ...happyChat,
  ...happyHosting,
  ...happyShares,
  ...happyReplays,
  ...happyReactions,
  ...happyBlueprints,
  ...happyPlans,
  ...happyDryRuns,
  ...happyWebhooks,
};
