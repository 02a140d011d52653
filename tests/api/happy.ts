import { happyBlueprints } from "./happy-blueprints.ts";
import { happyFiles, happyMoney, happySignIns, happyUsers } from "./happy-people.ts";
import { happyChat, happyEvents, happySessions } from "./happy-shows.ts";
import type { Prepare } from "./stage.ts";

/** A request that must succeed for each endpoint, by its name. A new endpoint needs its own. */
export const happy: Readonly<Record<string, Prepare>> = {
  ...happySignIns,
  ...happyUsers,
  ...happyMoney,
  ...happyFiles,
  ...happySessions,
  ...happyEvents,
  ...happyChat,
  ...happyBlueprints,
};
