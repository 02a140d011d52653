import { countOf } from "#client/base/format/count.ts";
import { labelsOf } from "#src/base/contract.ts";

export const runOf = (playersCount: number, seedNumber: number) =>
  `${countOf(playersCount, "player")}, seed ${seedNumber}`;
export const stateLabel = labelsOf({
  waiting: "Waiting",
  playing: "Playing",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
});

export const failureText = labelsOf({
  no_database:
    "The database server does not let this program create a database for the dry run. As its administrator, give the role in DATABASE_URL this right: ALTER ROLE name CREATEDB.",
  too_long: "It took more than five minutes and was ended. Take fewer players.",
  error:
    "It ended with an error of the program, which is in the log of the worker. The game is not affected.",
});

export const outdated = "The blueprint was changed since. Start a new dry run to see the change.";
