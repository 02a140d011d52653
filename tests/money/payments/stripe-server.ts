/** A refund as Stripe stores it. */
export type StripeRefund = {
  id: string;
  object: "refund";
  payment_intent: string;
  amount: number;
  currency: "usd";
  status: "succeeded" | "pending" | "failed";
  metadata: Record<string, string>;
};

/** Where Stripe sends which messages. */
export type StripeEndpoint = {
  url: string;
  status: "enabled" | "disabled";
  enabled_events: readonly string[];
};

/** A server with the part of Stripe's API that the app uses: https://docs.stripe.com/api */
export type StripeServer = {
  url: string;
  /** The form data of all checkouts, in order. */
  checkouts: URLSearchParams[];
  /** All refunds, in order. A test may change them, and with them Stripe's answers. */
  refunds: StripeRefund[];
  /** Makes a refund at Stripe itself. */
  refund: (intent: string, amount: number) => StripeRefund;
  /** The metadata of an intent from now on, or null for one that it does not have. */
  describe: (intent: string, metadata: Metadata) => void;
  /** How checkouts have ended, by their ids. The others are open. */
  ended: Map<string, object>;
  /** Where it sends its messages; a number: it answers so who asks. */
  sendTo: (endpoints: readonly StripeEndpoint[] | number) => void;
  /** How often checkouts were asked for. */
  asked: () => number;
  /** Sets how the server answers from now on. "late": it handles the request, but the answer is lost. */
  breakWith: (how: number | "late" | null) => void;
  stop: () => Promise<void>;
};

export const STRIPE_KEY = "sk_test_local";
/** The amount of every payment at this server. */
export const PAID_CENTS = 2_000;

export function startStripeServer(): StripeServer {
  const books: Books = { checkouts: [], refunds: [], ended: new Map() };
  const answered = new Map<string, object>();
  const described = new Map<string, Metadata>();
  let endpoints: readonly StripeEndpoint[] | number = 404;
  let asked = 0;
  let broken: number | "late" | null = null;
  const lists: Readonly<Record<string, (intent: string) => readonly object[] | number>> = {
    "/v1/checkout/sessions": () => [],
    "/v1/webhook_endpoints": () => endpoints,
    "/v1/refunds": (intent) => of(books.refunds, intent).toReversed(),
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      if (typeof broken === "number") return failure(broken, "api_error");
      if (request.headers.get("authorization") !== `Bearer ${STRIPE_KEY}`)
        return failure(401, "invalid_request_error");
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === "POST") {
        const key = request.headers.get("idempotency-key") ?? crypto.randomUUID();
        const answer =
          answered.get(key) ?? create(books, pathname, new URLSearchParams(await request.text()));
        if (answer === null) return failure(400, "invalid_request_error");
        answered.set(key, answer);
        return broken === "late" ? failure(500, "api_error") : Response.json(answer);
      }
      const listed = lists[pathname]?.(searchParams.get("payment_intent") ?? "");
      if (listed !== undefined) return list(pathname, listed);
      if (pathname.startsWith("/v1/checkout/sessions/")) {
        asked += 1;
        return answerCheckout(pathname, books.ended);
      }
      return answerIntent(pathname, described);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    ...books,
    refund: (intent, amount) => makeRefund(books, { intent, amount, metadata: {} }),
    sendTo: (given) => void (endpoints = given),
    asked: () => asked,
    describe: (intent, metadata) => void described.set(intent, metadata),
    breakWith: (how) => {
      broken = how;
    },
    stop: () => server.stop(true),
  };
}

type Books = Pick<StripeServer, "checkouts" | "refunds" | "ended">;

type Metadata = Record<string, string> | null;

/** A checkout that was begun: how a test says that it has ended, else it is open. */
function answerCheckout(path: string, ended: ReadonlyMap<string, object>): Response {
  const id = path.slice("/v1/checkout/sessions/".length);
  const open = { object: "checkout.session", status: "open", payment_status: "unpaid" };
  return Response.json({ ...(ended.get(id) ?? open), id });
}

/** Ends a checkout that is open; null for another one. */
function expireCheckout({ checkouts, ended }: Books, path: string): object | null {
  const id = path.split("/").at(-2) ?? "";
  const form = checkouts[Number(id.replace("cs_test_", "")) - 1];
  if (form === undefined || ended.has(id)) return null;
  const expired = {
    object: "checkout.session",
    id,
    status: "expired",
    payment_status: "unpaid",
    client_reference_id: form.get("client_reference_id"),
    amount_total: Number(form.get("line_items[0][price_data][unit_amount]")),
    currency: "usd",
    payment_intent: null,
  };
  ended.set(id, expired);
  return expired;
}

/** An intent: what a test says of it, else what an earlier release gave to its payments, the reference alone. */
function answerIntent(path: string, described: ReadonlyMap<string, Metadata>): Response {
  const id = /^\/v1\/payment_intents\/(pi_\w+)$/.exec(path)?.[1];
  const metadata = id === undefined ? null : (described.get(id) ?? { reference: id.replace(/^pi_/, "") });
  const isGone = id !== undefined && described.get(id) === null;
  if (metadata === null || isGone) return failure(404, "invalid_request_error");
  return Response.json({ id, object: "payment_intent", metadata });
}

/** The shortest time that a checkout may be open. */
const CHECKOUT_MIN_S = 1_800;

/** Creates the object of a form; null for a refund of more than was paid, and for a checkout that would end too soon or has ended. */
function create(books: Books, path: string, form: URLSearchParams): object | null {
  const { checkouts, refunds } = books;
  if (path.endsWith("/expire")) return expireCheckout(books, path);
  if (path === "/v1/checkout/sessions") {
    const openForS = Number(form.get("expires_at")) - Date.now() / 1_000;
    if (openForS < CHECKOUT_MIN_S) return null;
    checkouts.push(form);
    const id = `cs_test_${checkouts.length}`;
    return { id, object: "checkout.session", url: `https://checkout.stripe.test/${id}` };
  }
  const intent = form.get("payment_intent") ?? "";
  const amount = Number(form.get("amount"));
  const gone = of(refunds, intent).filter(({ status }) => status !== "failed");
  if (gone.reduce((sum, made) => sum + made.amount, amount) > PAID_CENTS) return null;
  const metadata = {
    reference: form.get("metadata[reference]") ?? "",
    chargeback: form.get("metadata[chargeback]") ?? "",
  };
  return makeRefund(books, { intent, amount, metadata });
}

type RefundTerms = { intent: string; amount: number; metadata: Record<string, string> };

function makeRefund({ refunds }: Books, { intent, amount, metadata }: RefundTerms): StripeRefund {
  const id = `re_${refunds.length + 1}`;
  const terms = { payment_intent: intent, amount, currency: "usd" as const, metadata };
  const made: StripeRefund = { id, object: "refund", ...terms, status: "succeeded" };
  refunds.push(made);
  return made;
}

function of(refunds: readonly StripeRefund[], intent: string): StripeRefund[] {
  return refunds.filter(({ payment_intent: own }) => own === intent);
}

function list(url: string, data: readonly object[] | number): Response {
  if (typeof data === "number") return failure(data, "api_error");
  return Response.json({ object: "list", data, has_more: false, url });
}

function failure(status: number, type: string): Response {
  return Response.json({ error: { type, message: "It did not work." } }, { status });
}
