import { site } from "#src/settings/contract.ts";

/** The errors of one request by field, as the client receives them: `{ wager: ["must be greater than 0"] }`. */
export type FieldErrors = Record<string, string[]>;

/** How much of a rate limit is left: `policy` and `left` are an item each of the headers RateLimit-Policy and RateLimit. */
export type RateLimit = { policy: string; left: string };

type RefusalDetails = {
  errors?: FieldErrors;
  /** A sentence for people, richer than the fixed texts in `errors`. */
  detail?: string;
  /** Seconds, for 429 and 503. */
  retryAfterSeconds?: number;
  /** What is left of the rate limit that refuses, for programs. */
  rateLimits?: readonly RateLimit[];
  /** The header WWW-Authenticate, for 401 and 403 of programs. */
  challenge?: string;
};

/**
 * An expected HTTP error, with a status, a code for programs and a message for people. It becomes the response. Everything
 * else that is thrown is a bug and becomes a plain 500.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  readonly status: number;
  readonly code: string;
  readonly details: RefusalDetails;

  constructor(status: number, code: string, message: string, details: RefusalDetails = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** 404, the same for a record that does not exist and for one that belongs to another user. */
export function notFound(): Refusal {
  return new Refusal(404, "not_found", "not found");
}

export function unauthenticated(): Refusal {
  return new Refusal(401, "unauthenticated", "You need to sign in or sign up before continuing.");
}

export function forbidden(detail?: string): Refusal {
  return new Refusal(403, "forbidden", "forbidden", detail === undefined ? {} : { detail });
}

/** 403 for guests where an account is needed. */
export function guestRefused(): Refusal {
  return new Refusal(403, "guest", "To view the rest of the site, you need to finish creating your account.");
}

/** 409: a concurrent request holds the lock, or was faster. */
export function conflict(detail: string): Refusal {
  return new Refusal(409, "conflict", "conflict", { detail });
}

/** 400: not JSON, or the root key is missing. */
export function malformed(detail: string): Refusal {
  return new Refusal(400, "malformed", "malformed request", { detail });
}

/** 422 for deleting a record that others depend on: "Cannot delete record because dependent calls exist". */
export function hasDependents(plural: string, detail?: string): Refusal {
  const message = `Cannot delete record because dependent ${plural} exist`;
  return new Refusal(422, "dependents", message, {
    errors: { base: [message] },
    ...(detail === undefined ? {} : { detail }),
  });
}

/** 503 while the database is away, or is being upgraded. @param detail what operators read about it. */
export function unavailable(detail?: string): Refusal {
  return new Refusal(
    503,
    "unavailable",
    `${site().name} is having trouble right now. Try again in a moment.`,
    {
      retryAfterSeconds: 2,
      ...(detail === undefined ? {} : { detail }),
    },
  );
}

/** Does work of which a refusal is nothing to worry about. */
export async function unrefused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

/** Refuses for now, because of an error that operators read. */
export function refuseAway(cause: unknown): never {
  throw Object.assign(unavailable(), { cause });
}

/**
 * 422 with errors by field. The message lists them: "Validation failed: Wager must be greater than 0".
 * @param code "invalid" unless the client must tell this case apart (late, invalid_spot_state, insufficient_balance).
 */
export function invalid(
  errors: FieldErrors,
  { code = "invalid", detail }: { code?: string; detail?: string } = {},
): Refusal {
  const sentences = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => `${fieldName(field)} ${message}`),
  );
  return new Refusal(422, code, `Validation failed: ${sentences.join(", ")}`, {
    errors,
    ...(detail === undefined ? {} : { detail }),
  });
}

/**
 * The path of a field in words, to begin a sentence with: "stateEvent" -> "State event", "defaults.leadSeconds" -> "Lead
 * seconds of defaults", "blueprintEvents.2.title" -> "Title of blueprint event 3".
 */
function fieldName(field: string): string {
  const names: string[] = [];
  for (const part of field.split(".")) {
    if (/^\d+$/.test(part)) names.push(itemName(names.pop(), Number(part) + 1));
    else names.push(part.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
  }
  const name = names.toReversed().join(" of ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** "blueprint events", 3 -> "blueprint event 3" */
function itemName(list = "items", number: number): string {
  return `${list.replace(/s$/, "")} ${number}`;
}

/** 422 for an action of its own path, such as PUT .../pause: `cannot transition via "Pause"`. */
export function cannotTransitionVia(label: string, detail?: string): Refusal {
  return invalid({ state: [`cannot transition via "${label}"`] }, detail === undefined ? {} : { detail });
}

/** 422 for a transition named in a body: `cannot transition when Resolved`. */
export function cannotTransitionWhen(stateLabel: string, detail?: string): Refusal {
  return invalid(
    { stateEvent: [`cannot transition when ${stateLabel}`] },
    detail === undefined ? {} : { detail },
  );
}
