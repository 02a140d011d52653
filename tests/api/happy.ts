import type { Prepare } from "./fixture.ts";
import { happyAccessTokens } from "./happy-access-tokens.ts";
import { happyChat, happyHosting, happyReactions } from "./happy-around-shows.ts";
import { happyBlueprints } from "./happy-blueprints.ts";
import { happyDryRuns } from "./happy-dry-runs.ts";
import { happyFiles } from "./happy-files.ts";
import { happyJoinCodes } from "./happy-join-codes.ts";
import { happyOperations } from "./happy-operations.ts";
import { happyPasskeys } from "./happy-passkeys.ts";
import { happyMoney, happySignIns, happyUsers } from "./happy-people.ts";
import { happyPush } from "./happy-push.ts";
import { happyReplays } from "./happy-replays.ts";
import { happySeasons } from "./happy-seasons.ts";
import { happySessionHosts } from "./happy-session-hosts.ts";
import { happyShares } from "./happy-shares.ts";
import { happyEvents, happySessions } from "./happy-shows.ts";
import { happyTeams } from "./happy-teams.ts";
import { happyWebhooks } from "./happy-webhooks.ts";

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
  ...happyDryRuns,
  ...happyWebhooks,
};
