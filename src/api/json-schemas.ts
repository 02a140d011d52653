import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from "@valibot/to-json-schema";
import * as v from "valibot";
import { bookCheckSchema, findingSchema } from "#src/books/schemas.ts";
import type { Schema } from "#src/http/check-input.ts";
import { snakeCase } from "#src/http/contract.ts";
import { errorBody, listMeta } from "#src/http/schemas.ts";
import { chargebackSchema, paymentFlagSchema, paymentSchema } from "#src/money/payments/schemas.ts";
import { transactionSchema, walletMetrics, walletSchema } from "#src/money/wallet/schemas.ts";
import { avatarSchema } from "#src/people/avatars/schemas.ts";
import { notificationSchema } from "#src/people/notifications/schemas.ts";
import { signInSchema, viewerSchema } from "#src/people/sign-ins/schemas.ts";
import { callSchema, formulaSchema, resultSchema, settlementSchema } from "#src/play/calls/schemas.ts";
import { messageSchema, muteSchema } from "#src/play/chat/schemas.ts";
import { exclusionSchema, scoreSchema } from "#src/play/leaderboard/schemas.ts";
import { payoutGroupSchema } from "#src/play/settlements/schemas.ts";
import { spotSchema } from "#src/play/spots/schemas.ts";
import { teamSchema } from "#src/play/teams/schemas.ts";
import { profileSchema } from "#src/profiles/schemas.ts";
import { blueprintEventSchema, blueprintSchema } from "#src/show/blueprints/schemas.ts";
import { eventSchema } from "#src/show/events/schemas.ts";
import {
  auditLineSchema,
  registrationSchema,
  sessionSettings,
  sessionSchema,
} from "#src/show/sessions/schemas.ts";

/** The reusable schemas of answers, by their names in the reference. */
const definitions = {
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
  Team: teamSchema,
  Transaction: transactionSchema,
  User: profileSchema,
  Viewer: viewerSchema,
  Wallet: walletSchema,
  WalletMetrics: walletMetrics,
};

/** Checks that JSON Schema cannot express are left out; the server still makes them. */
const lenient = {
  target: "draft-2020-12",
  errorMode: "ignore",
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { type, requirement }: Step = valibotAction;
    if (typeof requirement !== "number") return undefined;
    if (type === "max_graphemes") return { ...jsonSchema, maxLength: requirement };
    return type === "min_graphemes" ? { ...jsonSchema, minLength: requirement } : undefined;
  },
} as const satisfies ConversionConfig;
const outputConfig = {
  ...lenient,
  typeMode: "output",
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} as const satisfies ConversionConfig;
const inputConfig = { ...lenient, typeMode: "input" } as const satisfies ConversionConfig;

/** The version of JSON Schema that a document is written in: OpenAPI 3.1 the newer one, AsyncAPI 3 the older one. */
type Dialect = "draft-2020-12" | "draft-07";

export function namedSchemas(target: Dialect = "draft-2020-12"): Record<string, JsonSchema> {
  return toJsonSchemaDefs(definitions, { ...outputConfig, target });
}

/** The JSON Schema of an answer, with references to the named schemas. */
export function answerSchema(schema: Schema, target: Dialect = "draft-2020-12"): JsonSchema {
  return plain(toJsonSchema(schema, { ...outputConfig, definitions, target }));
}

/** The JSON Schema of what a client sends, as it is. */
export function sentSchema(schema: Schema, target: Dialect): JsonSchema {
  return plain(toJsonSchema(schema, { ...inputConfig, target }));
}

/**
 * The JSON Schema of a body, with keys in snake_case. An object with a key that would not survive that, such as the
 * `clientDataJSON` of a passkey, is one of the browser's, and keeps its names.
 */
export function bodySchema(entries: v.ObjectEntries): JsonSchema {
  return withSnakeKeys(plain(toJsonSchema(v.object(entries), inputConfig)));
}

function withSnakeKeys(schema: JsonSchema): JsonSchema {
  const { properties, required, items, anyOf, ...rest } = schema;
  const deep = (part: JsonSchema | boolean) => (typeof part === "boolean" ? part : withSnakeKeys(part));
  const isBrowsers = Object.keys(properties ?? {}).some((name) => /[A-Z]{2}/.test(name));
  const keyOf = isBrowsers ? (name: string) => name : snakeCase;
  const named = Object.entries(properties ?? {}).map(([name, part]) => [keyOf(name), deep(part)] as const);
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(named) }),
    ...(required === undefined ? {} : { required: required.map(keyOf) }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: deep(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(deep) }),
  };
}

/** The JSON Schema of a query parameter. Parameters that the server reads as numbers are described as numbers. */
export function valueSchema(entry: v.ObjectEntries[string]): JsonSchema {
  const number = numberSchema("wrapped" in entry ? entry.wrapped : entry);
  if (number === undefined) return plain(toJsonSchema(v.object({ value: entry }), inputConfig), "value");
  const defaultValue = "default" in entry ? entry.default : undefined;
  return typeof defaultValue === "string" ? { ...number, default: Number(defaultValue) } : number;
}

/** The number schema of a text that is converted to a number; undefined for other schemas. */
function numberSchema(entry: object): JsonSchema | undefined {
  const steps = "pipe" in entry ? stepsIn(entry.pipe) : [];
  const conversion = steps.findIndex(({ type }) => type === "to_number");
  if (conversion < 0) return undefined;
  const checks = steps
    .slice(conversion + 1)
    .flatMap((step) => ("pipe" in step ? stepsIn(step.pipe) : [step]));
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

/** Removes `$schema` and `$defs`; with `property`, returns that property of an object schema. */
function plain(converted: JsonSchema, property?: string): JsonSchema {
  const { $schema: _dialect, $defs: _definitions, ...schema } = converted;
  if (property === undefined) return schema;
  const part = schema.properties?.[property];
  if (typeof part !== "object") throw new Error(`no JSON Schema for ${property}`);
  return part;
}
