import fc from "fast-check";
import { callOperations } from "./call-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { OperationCommand } from "./operation.ts";
import { sessionOperations, startSessionOperation } from "./session-operations.ts";
import { timeOperations } from "./time-operations.ts";

/** All operations, chosen by weight. */
export const operations: fc.Arbitrary<OperationCommand> = fc
  .oneof(...callOperations, ...timeOperations, ...sessionOperations, ...eventOperations)
  .map((operation) => new OperationCommand(operation));

/** The first operation of every run: starting the session. */
export const startOperation: fc.Arbitrary<OperationCommand> = startSessionOperation.map(
  (operation) => new OperationCommand(operation),
);
