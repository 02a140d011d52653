import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import Provider, { type Context } from "oidc-provider";
import * as v from "valibot";

/** What the provider says of a person, by its own id of them. */
type Claims = Record<string, unknown>;
/** What the provider says otherwise than it should: claims of the ID token, and the key that signs it. */
type Lie = { claims?: Claims; key?: KeyObject };

export const client = { id: "called-it", secret: "a-secret-that-the-provider-gave" };

/** A provider of OpenID Connect (oidc-provider) on this machine, with people whom a test adds. */
export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

/** Starts it on a free port. @param publicUrl of the product that people sign in to. */
export async function startProvider(publicUrl = "http://localhost:3000") {
  const people = new Map<string, Claims>();
  const state = { signsIn: null as string | null, lie: null as Lie | null, asked: [] as string[] };
  let answer: RequestListener = (_request, response) => void response.end();
  let isAway = false;
  const server = createServer((request, response) => {
    state.asked.push(request.url ?? "");
    if (isAway) request.socket.destroy();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const useNewKey = () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    answer = createProvider({ issuer, publicUrl, privateKey, people, state }).callback();
  };
  useNewKey();
  return {
    issuer,
    people,
    /** The settings of a product that uses it. */
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_NAME: "Acme",
      OIDC_SCOPES: "openid email profile groups",
    },
    state,
    useNewKey,
    setAway: (away: boolean) => (isAway = away),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Parts = {
  issuer: string;
  publicUrl: string;
  privateKey: KeyObject;
  people: Map<string, Claims>;
  state: { signsIn: string | null; lie: Lie | null };
};

function createProvider({ issuer, publicUrl, privateKey, people, state }: Parts): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/users/sign_in/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/users/sign_in`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", kid: crypto.randomUUID() }] },
    cookies: { keys: ["a key of the tests"] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "preferred_username"],
      groups: ["groups"],
    },
    scopes: ["openid", "email", "profile", "groups"],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context: Context, form: string) => {
          context.type = "html";
          context.body = `<!doctype html><title>Acme</title>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out of Acme</button>`;
        },
      },
    },
    interactions: { url: () => "/come-in" },
    findAccount: (_context: Context, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people.get(id) }),
    }),
    // Nobody is asked what the product may read.
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new provider.Grant({
        clientId: oidc?.client?.clientId,
        accountId: oidc?.session?.accountId,
      });
      grant.addOIDCScope("openid email profile groups");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (context.path === "/come-in") return comeIn(provider, context, state.signsIn);
    await next();
    if (context.path === "/token" && state.lie !== null) lieIn(context, state.lie, privateKey);
  });
  return provider;
}

/** Signs in who the test says, at once; else the form asks who it is. */
async function comeIn(provider: Provider, context: Context, signsIn: string | null): Promise<void> {
  const accountId = context.query["person"] ?? signsIn;
  if (accountId !== null)
    return provider.interactionFinished(context.req, context.res, { login: { accountId } });
  context.type = "html";
  context.body = `<!doctype html><title>Acme</title><form><label>Who are you? <input name="person"></label><button>Come in</button></form>`;
}

const payloadForm = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/** Signs the ID token again, with other claims or by another key. */
function lieIn(context: Context, { claims = {}, key }: Lie, privateKey: KeyObject): void {
  const body = v.parse(v.looseObject({ id_token: v.string() }), context.body);
  const [head = "", payload = ""] = body.id_token.split(".");
  const said = { ...v.parse(payloadForm, Buffer.from(payload, "base64url").toString()), ...claims };
  const signed = `${head}.${Buffer.from(JSON.stringify(said)).toString("base64url")}`;
  const signature = createSign("sha256")
    .update(signed)
    .sign(key ?? privateKey, "base64url");
  context.body = { ...body, id_token: `${signed}.${signature}` };
}
