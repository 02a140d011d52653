import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from "@valibot/to-json-schema";
import * as v from "valibot";
import { blueprintEventSchema, blueprintSchema } from "#src/blueprints/schemas.ts";
import { bookCheckSchema, findingSchema } from "#src/books/schemas.ts";
import { callSchema, formulaSchema, resultSchema, settlementSchema } from "#src/calls/schemas.ts";
import { messageSchema, muteSchema } from "#src/chat/schemas.ts";
import { eventSchema } from "#src/events/schemas.ts";
import type { Schema } from "#src/http/check-input.ts";
import { snakeCase } from "#src/http/contract.ts";
import { errorBody, listMeta } from "#src/http/schemas.ts";
import { exclusionSchema, scoreSchema } from "#src/leaderboard/schemas.ts";
import { notificationSchema } from "#src/notifications/schemas.ts";
import { chargebackSchema, paymentFlagSchema, paymentSchema } from "#src/payments/schemas.ts";
import { profileSchema } from "#src/profiles/schemas.ts";
import {
  auditLineSchema,
  registrationSchema,
  sessionSettings,
  sessionSchema,
} from "#src/sessions/schemas.ts";
import { payoutGroupSchema } from "#src/settlements/schemas.ts";
import { avatarSchema, signInSchema, viewerSchema } from "#src/sign-ins/schemas.ts";
import { spotSchema } from "#src/spots/schemas.ts";
import { transactionSchema, walletMetrics, walletSchema } from "#src/wallet/schemas.ts";

/** What answers are made of, by the names that the reference gives it. */
const named = {
  AuditLine: auditLineSchema,
  Avatar: avatarSchema,
  Blueprint: blueprintSchema,
  BlueprintEvent: blueprintEventSchema,
  BookCheck: bookCheckSchema,
  Call: callSchema,
  Chargeback: chargebackSchema,
  Error: errorBody,
  Event: eventSchema,
  Exclusion: exclusionSchema,
  Finding: findingSchema,
  Formula: formulaSchema,
  ListMeta: listMeta,
  Message: messageSchema,
  Mute: muteSchema,
  Notification: notificationSchema,
  Payment: paymentSchema,
  PaymentFlag: paymentFlagSchema,
  PayoutGroup: payoutGroupSchema,
  Registration: registrationSchema,
  Result: resultSchema,
  Score: scoreSchema,
  Session: sessionSchema,
  SessionSettings: sessionSettings,
  Settlement: settlementSchema,
  SignIn: signInSchema,
  Spot: spotSchema,
  Transaction: transactionSchema,
  User: profileSchema,
  Viewer: viewerSchema,
  Wallet: walletSchema,
  WalletMetrics: walletMetrics,
};

/** What JSON Schema cannot say of a shape is left out: the server still checks it. */
const lenient = { target: "draft-2020-12", errorMode: "ignore" } as const satisfies ConversionConfig;
const answered = {
  ...lenient,
  typeMode: "output",
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} as const satisfies ConversionConfig;
const sent = { ...lenient, typeMode: "input" } as const satisfies ConversionConfig;

/** The schemas of what answers are made of, by name. */
export function namedSchemas(): Record<string, JsonSchema> {
  return toJsonSchemaDefs(named, answered);
}

/** The schema of an answer, which refers to the named ones. */
export function answerSchema(shape: Schema): JsonSchema {
  return plain(toJsonSchema(shape, { ...answered, definitions: named }));
}

/** The schema of a body, with its keys as they are sent. */
export function bodySchema(entries: v.ObjectEntries): JsonSchema {
  return withSnakeKeys(plain(toJsonSchema(v.object(entries), sent)));
}

function withSnakeKeys(schema: JsonSchema): JsonSchema {
  const { properties, required, items, anyOf, ...rest } = schema;
  const deep = (part: JsonSchema | boolean) => (typeof part === "boolean" ? part : withSnakeKeys(part));
  const named = Object.entries(properties ?? {}).map(
    ([name, part]) => [snakeCase(name), deep(part)] as const,
  );
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(named) }),
    ...(required === undefined ? {} : { required: required.map(snakeCase) }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: deep(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(deep) }),
  };
}

/** The schema of one value of a query: numbers as such, though they travel as text. */
export function valueSchema(shape: v.ObjectEntries[string]): JsonSchema {
  const number = readAsNumber("wrapped" in shape ? shape.wrapped : shape);
  if (number === undefined) return plain(toJsonSchema(v.object({ value: shape }), sent), "value");
  const preset = "default" in shape ? shape.default : undefined;
  return typeof preset === "string" ? { ...number, default: Number(preset) } : number;
}

/** What a text is checked for once it is read as a number; undefined where it is not. */
function readAsNumber(shape: object): JsonSchema | undefined {
  const steps = "pipe" in shape ? stepsIn(shape.pipe) : [];
  const reading = steps.findIndex(({ type }) => type === "to_number");
  if (reading < 0) return undefined;
  const checks = steps.slice(reading + 1).flatMap((step) => ("pipe" in step ? stepsIn(step.pipe) : [step]));
  const schema: JsonSchema = { type: "number" };
  for (const { type, requirement } of checks) {
    if (type === "integer" || type === "safe_integer") schema.type = "integer";
    if (type === "min_value" && typeof requirement === "number") schema.minimum = requirement;
    if (type === "max_value" && typeof requirement === "number") schema.maximum = requirement;
  }
  return schema;
}

type Step = { type: string; requirement?: unknown; pipe?: unknown };

function isStep(step: unknown): step is Step {
  return typeof step === "object" && step !== null && "type" in step && typeof step.type === "string";
}

function stepsIn(pipe: unknown): Step[] {
  return Array.isArray(pipe) ? pipe.filter(isStep) : [];
}

/** Without what is said elsewhere; of an object, one of its properties. */
function plain(converted: JsonSchema, property?: string): JsonSchema {
  const { $schema: _dialect, $defs: _named, ...schema } = converted;
  if (property === undefined) return schema;
  const part = schema.properties?.[property];
  if (typeof part !== "object") throw new Error(`nothing says what ${property} is`);
  return part;
}
