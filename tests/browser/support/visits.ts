/** A page of client/app/routes.tsx that the journey every-page visits: its path, or the addresses where it is opened. */
export type Visit = string | { route: string; at: readonly string[] };

/**
 * The pages that the journey every-page visits, by who does. LIVE is the session that is active; OVER is one that has ended, in
 * which the player has placed CALL on EVENT; SHARE and PAYMENT are the player's own, and PLAYER is the first of the leaderboard.
 */
export const visits = {
  signedOut: [
    "/users/sign_in",
    { route: "/join", at: ["/join", "/join?code=O0O"] },
    "/users/password",
    "/users/confirmation",
    "/users/unlock",
    "/users/guest_registration",
    "/terms",
    { route: "/shared/:token", at: ["/shared/SHARE"] },
    { route: "/seasons/:slug", at: ["/seasons/season-one"] },
  ],
  guest: ["/guest", "/users/guest_registration", "/users/sign_in", "/users/sign_out"],
  player: [
    { route: "/sessions/:slug", at: ["/sessions/LIVE"] },
    { route: "/sessions/:slug/history", at: ["/sessions/LIVE/history"] },
    { route: "/sessions/:slug/history/:callId", at: ["/sessions/OVER/history/CALL"] },
    { route: "/sessions/:slug/events/:eventId", at: ["/sessions/OVER/events/EVENT"] },
    { route: "/sessions/:slug/replay", at: ["/sessions/OVER/replay"] },
    "/profile",
    "/profile/account",
    "/profile/avatar",
    "/profile/details",
    "/profile/wallet",
    "/profile/wallet/payments",
    "/profile/wallet/spending",
    "/profile/wallet/spending/statement",
    { route: "/checkout/:reference", at: ["/checkout/PAYMENT"] },
    "/shares",
    { route: "*", at: ["/nowhere"] },
  ],
  admin: [
    "/sessions",
    "/sessions/new",
    { route: "/sessions/:slug/admin", at: ["/sessions/LIVE/admin"] },
    { route: "/sessions/:slug/edit", at: ["/sessions/LIVE/edit"] },
    { route: "/sessions/:slug/leaders", at: ["/sessions/LIVE/leaders"] },
    { route: "/sessions/:slug/chat", at: ["/sessions/LIVE/chat"] },
    { route: "/sessions/:slug/join", at: ["/sessions/LIVE/join"] },
    "/leaderboard",
    { route: "/leaderboard/:userId", at: ["/leaderboard/PLAYER"] },
    { route: "/seasons/:slug", at: ["/seasons/season-two"] },
    "/blueprints",
    "/blueprints/new",
    { route: "/blueprints/:id", at: ["/blueprints/1"] },
    {
      route: "/blueprints/:id/edit",
      at: ["/blueprints/1/edit", "/blueprints/1/edit?panel=1", "/blueprints/1/edit?panel=paste"],
    },
    { route: "/blueprints/:id/dry_run", at: ["/blueprints/1/dry_run"] },
    "/users",
    { route: "/users/:id", at: ["/users/PLAYER"] },
    "/profile/tokens",
    "/admin",
    "/admin/books",
    "/admin/audit",
    "/admin/webhooks",
    "/admin/seasons",
  ],
  /** Nobody holds a projector in a hand. */
  projector: [
    {
      route: "/sessions/:slug/stage",
      at: [
        "/sessions/LIVE/stage",
        "/sessions/LIVE/stage?overlay=1",
        "/sessions/LIVE/stage?overlay=corner&place=top-right",
      ],
    },
    { route: "/sessions/:slug/card", at: ["/sessions/LIVE/card"] },
  ],
} as const satisfies Record<string, readonly Visit[]>;

/** Pages that it does not visit, and why. */
export const notVisited: Readonly<Record<string, string>> = {
  "/": "redirects everybody",
  "/users/guest": "takes a form, and redirects a visit",
  "/notifications": "takes a form, and redirects a visit",
  "/profile/wallet/top_up": "takes a form, and redirects a visit",
  "/sessions/:slug/remind": "is of a planned session only: the journey remind-me looks at it",
  "/sessions/:slug/dock": "opens with the link of a dock only: the journey dock looks at it",
  "/sessions/:slug/live_chat":
    "is for browsers without JavaScript only: the journey without-javascript looks at it",
  "/users/password/edit": "opens with the link of a mail only: the journey forgot-password looks at it",
};
