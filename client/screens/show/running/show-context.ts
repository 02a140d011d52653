import { requiredContext } from "#client/base/page/required-context.ts";
import type { Outlook, Slot } from "#client/running-order/schedule.ts";
import type { StageSelection } from "./on-stage.ts";
import type { ShowState } from "./show-state.ts";
import type { Acting } from "./use-acting.ts";
import type { Arming, EarlyUndo } from "./use-arming.ts";
import type { Hosting } from "./use-hosting.ts";

/** What the components of the Admin tab read. */
export type Show = Pick<ShowState, "session" | "events" | "audit" | "fetchedAt"> &
  StageSelection & {
    /** When the server rendered the page; until the page is hydrated all times are computed from it. */
    renderedAt: string;
    /** The times that were planned before the start, by event id. */
    planned: ReadonlyMap<number, Slot>;
    /** Null if the session is not running or no planned event is left. */
    outlook: Outlook | null;
    acting: Acting;
    arming: Arming;
    earlyUndo: EarlyUndo;
    hosting: Hosting;
  };

export const [ShowContext, useShow] = requiredContext<Show>();
