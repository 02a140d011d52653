import fc from "fast-check";
import { eventOperations } from "./event-moves.ts";
import { OperationCommand } from "./move.ts";
import { callOperations } from "./play-moves.ts";
import { sessionOperations, startSessionOperation } from "./session-moves.ts";
import { timeOperations } from "./time-moves.ts";

/** Everything that can be done, each by its weight. */
export const operations: fc.Arbitrary<OperationCommand> = fc
  .oneof(...callOperations, ...timeOperations, ...sessionOperations, ...eventOperations)
  .map((deed) => new OperationCommand(deed));

/** What most shows begin with. */
export const startOperation: fc.Arbitrary<OperationCommand> = startSessionOperation.map(
  (deed) => new OperationCommand(deed),
);
