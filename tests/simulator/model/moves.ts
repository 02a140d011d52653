import fc from "fast-check";
import { eventMoves } from "./event-moves.ts";
import { Move } from "./move.ts";
import { playMoves } from "./play-moves.ts";
import { sessionMoves, starting } from "./session-moves.ts";
import { timeMoves } from "./time-moves.ts";

/** Everything that can be done, each by its weight. */
export const moves: fc.Arbitrary<Move> = fc
  .oneof(...playMoves, ...timeMoves, ...sessionMoves, ...eventMoves)
  .map((deed) => new Move(deed));

/** What most shows begin with. */
export const start: fc.Arbitrary<Move> = starting.map((deed) => new Move(deed));
