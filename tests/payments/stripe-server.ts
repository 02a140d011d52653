/** The part of Stripe's API that we use, as Stripe documents it: https://docs.stripe.com/api/checkout/sessions */
export type StripeServer = {
  url: string;
  /** The forms that began checkouts, in their order. */
  checkouts: URLSearchParams[];
  /** From now on it answers so, until it is told otherwise. */
  breakWith: (status: number | null) => void;
  stop: () => Promise<void>;
};

export const STRIPE_KEY = "sk_test_local";

export function startStripeServer(): StripeServer {
  const checkouts: URLSearchParams[] = [];
  const answered = new Map<string, object>();
  let broken: number | null = null;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      if (broken !== null) return failure(broken, "api_error");
      if (request.headers.get("authorization") !== `Bearer ${STRIPE_KEY}`)
        return failure(401, "invalid_request_error");
      const { pathname } = new URL(request.url);
      if (request.method === "POST" && pathname === "/v1/checkout/sessions") {
        const key = request.headers.get("idempotency-key") ?? crypto.randomUUID();
        const known = answered.get(key);
        if (known !== undefined) return Response.json(known);
        const form = new URLSearchParams(await request.text());
        checkouts.push(form);
        const id = `cs_test_${checkouts.length}`;
        const session = { id, object: "checkout.session", url: `https://checkout.stripe.test/${id}` };
        answered.set(key, session);
        return Response.json(session);
      }
      const intent = /^\/v1\/payment_intents\/pi_(\w+)$/.exec(pathname)?.[1];
      if (intent === undefined) return failure(404, "invalid_request_error");
      return Response.json({ id: `pi_${intent}`, object: "payment_intent", metadata: { reference: intent } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    checkouts,
    breakWith: (status) => {
      broken = status;
    },
    stop: () => server.stop(true),
  };
}

function failure(status: number, type: string): Response {
  return Response.json({ error: { type, message: "It did not work." } }, { status });
}
