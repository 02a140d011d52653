declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  /** What the tests use of it. */
  type Context = {
    path: string;
    method: string;
    query: Record<string, string | undefined>;
    body: unknown;
    type: string;
    req: Parameters<RequestListener>[0];
    res: Parameters<RequestListener>[1];
    oidc?: {
      route?: string;
      client?: { clientId: string };
      session?: { accountId: string };
      result?: { consent?: { grantId?: string } };
    };
  };
  class Grant {
    constructor(of: { clientId: string | undefined; accountId: string | undefined });
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    Grant: typeof Grant;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
    interactionFinished(req: Context["req"], res: Context["res"], result: object): Promise<void>;
    on(event: string, listener: (...args: unknown[]) => void): void;
  }
  export type { Context, Grant };
}
