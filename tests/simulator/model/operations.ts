import fc from "fast-check";
import { eventOperations } from "./event-operations.ts";
import { OperationCommand } from "./operation.ts";
import { callOperations } from "./call-operations.ts";
import { sessionOperations, startSessionOperation } from "./session-operations.ts";
import { timeOperations } from "./time-operations.ts";

/** Everything that can be done, each by its weight. */
export const operations: fc.Arbitrary<OperationCommand> = fc
  .oneof(...callOperations, ...timeOperations, ...sessionOperations, ...eventOperations)
  .map((deed) => new OperationCommand(deed));

/** What most shows begin with. */
export const startOperation: fc.Arbitrary<OperationCommand> = startSessionOperation.map(
  (deed) => new OperationCommand(deed),
);
