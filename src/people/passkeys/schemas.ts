import * as v from "valibot";
import { atMost, moment, rowId, textLine } from "#src/http/schemas.ts";
import { PASSWORD_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { tickedField } from "#src/people/sign-ins/schemas.ts";
import { PASSKEY_NAME_LENGTH_MAX } from "./contract.ts";

/** Bytes in base64url. */
const bytes = (lengthMax: number) => v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(lengthMax));
const CREDENTIAL_ID_LENGTH_MAX = 1_400;
const DATA_LENGTH_MAX = 12_000;

/** The answer of `navigator.credentials.create()`, as JSON. Browsers add fields to it, which are not used. */
const attestation = v.object({
  id: bytes(CREDENTIAL_ID_LENGTH_MAX),
  type: v.literal("public-key"),
  response: v.object({
    clientDataJSON: bytes(DATA_LENGTH_MAX),
    attestationObject: bytes(DATA_LENGTH_MAX),
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(20))), v.maxLength(10)), []),
  }),
});
export type Attestation = v.InferOutput<typeof attestation>;

/** The answer of `navigator.credentials.get()`, as JSON. */
export const assertion = v.object({
  id: bytes(CREDENTIAL_ID_LENGTH_MAX),
  type: v.literal("public-key"),
  response: v.object({
    clientDataJSON: bytes(DATA_LENGTH_MAX),
    authenticatorData: bytes(DATA_LENGTH_MAX),
    signature: bytes(DATA_LENGTH_MAX),
    userHandle: v.optional(v.nullable(v.string())),
  }),
});
export type Assertion = v.InferOutput<typeof assertion>;

const name = textLine(PASSKEY_NAME_LENGTH_MAX);

/** By what a user proves to be the one who is signed in: the password, or a passkey's answer to a challenge of `confirmation`. */
export const proofFields = {
  currentPassword: v.optional(v.pipe(v.string(), ...atMost(PASSWORD_LENGTH_MAX, "is invalid"))),
  credential: v.optional(assertion),
};
export const passkeyProofBody = v.strictObject(proofFields);
export const addPasskeyBody = v.strictObject({ name, credential: attestation });
export const renamePasskeyBody = v.strictObject({ name });
export const passkeySignInBody = v.strictObject({
  credential: assertion,
  rememberMe: tickedField,
  mergeGuest: tickedField,
});

const credentialId = v.object({ id: v.string(), type: v.literal("public-key") });

/** The options of `navigator.credentials.create()`, as JSON. */
export const creationOptionsAnswer = v.object({
  options: v.object({
    challenge: v.string(),
    rp: v.object({ id: v.string(), name: v.string() }),
    user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
    pubKeyCredParams: v.array(v.object({ type: v.literal("public-key"), alg: v.number() })),
    timeout: v.number(),
    /** The passkeys that the user has: an authenticator with one of them makes no second one. */
    excludeCredentials: v.array(credentialId),
    authenticatorSelection: v.object({
      residentKey: v.literal("required"),
      requireResidentKey: v.literal(true),
      userVerification: v.literal("required"),
    }),
    attestation: v.literal("none"),
  }),
});
export type CreationOptionsAnswer = v.InferOutput<typeof creationOptionsAnswer>;

/** The options of `navigator.credentials.get()`, as JSON. The user chooses among all passkeys for this site. */
export const requestOptionsAnswer = v.object({
  options: v.object({
    challenge: v.string(),
    rpId: v.string(),
    timeout: v.number(),
    userVerification: v.literal("required"),
  }),
});
export type RequestOptionsAnswer = v.InferOutput<typeof requestOptionsAnswer>;
/** The same for a user who is signed in: only the own passkeys. */
export const confirmOptionsAnswer = v.object({
  options: v.object({
    ...requestOptionsAnswer.entries.options.entries,
    allowCredentials: v.array(credentialId),
  }),
});
export type ConfirmOptionsAnswer = v.InferOutput<typeof confirmOptionsAnswer>;

export const passkeySchema = v.object({
  id: rowId,
  name: v.string(),
  createdAt: moment,
  lastUsedAt: v.nullable(moment),
});
export type PasskeyView = v.InferOutput<typeof passkeySchema>;
export const passkeyAnswer = v.object({ passkey: passkeySchema });
export const passkeysAnswer = v.object({
  /** Oldest first. */
  passkeys: v.array(passkeySchema),
  /** Whether this sign-in was confirmed by a passkey. */
  confirmed: v.boolean(),
  /** Whether that was in the last 10 minutes: then a change of the passkeys needs no proof. */
  fresh: v.boolean(),
  /** The user is an admin, who may act as one only after a sign-in by passkey. */
  required: v.boolean(),
});
export type PasskeysAnswer = v.InferOutput<typeof passkeysAnswer>;
