import { type Attack, INVENTED, line } from "./attack.ts";

export const peopleAttacks: readonly Attack[] = [
  {
    name: "grant the admin role",
    statements: [`INSERT INTO user_roles (user_id, role) VALUES (@bob, 'admin')`],
  },
  {
    name: "grant it, and tell something else",
    statements: [
      `INSERT INTO user_roles (user_id, role) VALUES (@bob, 'admin')`,
      line("@admin", { action: "change_roles", type: "user", subject: "@bob", after: { roles: [] } }),
    ],
    found: INVENTED,
  },
  {
    name: "grant it, and tell another change of the user",
    statements: [
      `INSERT INTO user_roles (user_id, role) VALUES (@bob, 'admin')`,
      line("@admin", { action: "change_profile", type: "user", subject: "@bob" }),
    ],
  },
  {
    name: "make a host of a session",
    statements: [
      `INSERT INTO session_hosts (session_id, user_id, made_by_id) VALUES (@session, @ana, @admin)`,
    ],
  },
  {
    name: "make a host of a session, and tell another change of the user",
    statements: [
      `INSERT INTO session_hosts (session_id, user_id, made_by_id) VALUES (@session, @ana, @admin)`,
      line("@admin", { action: "change_profile", type: "user", subject: "@ana" }),
    ],
  },
  {
    name: "notify a host who was never made",
    statements: [line("@admin", { action: "add_session_host", type: "user", subject: "@ana" })],
  },
  { name: "remove a host in silence", statements: ["DELETE FROM session_hosts"] },
  { name: "take a role away", statements: [`DELETE FROM user_roles WHERE user_id = @admin`] },
  {
    name: "set another's password",
    statements: [`UPDATE users SET password_hash = 'mine' WHERE id = @admin`],
  },
  {
    name: "set another's password, and send the notice to oneself",
    statements: [
      `UPDATE users SET password_hash = 'mine' WHERE id = @admin`,
      `INSERT INTO mails (kind, recipient, user_id) VALUES ('password_changed', 'mine@example.test', @admin)`,
    ],
  },
  {
    name: "set another's password, and take the notice back",
    statements: [
      `UPDATE users SET password_hash = 'mine' WHERE id = @ana`,
      `INSERT INTO mails (kind, recipient, user_id)
        SELECT 'password_changed', email, id FROM users WHERE id = @ana`,
      "SET CONSTRAINTS users_password_noticed IMMEDIATE",
      "DELETE FROM mails WHERE kind = 'password_changed'",
    ],
  },
  {
    name: "set another's address",
    statements: [`UPDATE users SET email = 'mine@example.test' WHERE id = @admin`],
  },
  {
    name: "set another's address, and ask the new one only",
    statements: [
      `UPDATE users SET email = 'mine@example.test' WHERE id = @admin`,
      `INSERT INTO mails (kind, recipient, user_id) VALUES ('email_changed', 'mine@example.test', @admin)`,
    ],
  },
  {
    name: "add a passkey to another's account",
    statements: [
      `INSERT INTO passkeys (user_id, credential_id, public_key, sign_count, name) VALUES (@admin, 'x', 'x', 0, 'x')`,
    ],
  },
  { name: "exchange the key of a passkey", statements: ["UPDATE passkeys SET public_key = 'mine'"] },
  {
    name: "take over a sign-in",
    statements: [`UPDATE sign_ins SET user_id = @admin WHERE user_id = @bob`],
  },
  {
    name: "revive an ended sign-in",
    statements: ["UPDATE sign_ins SET ended_at = NULL WHERE ended_at IS NOT NULL"],
  },
  { name: "lengthen a sign-in", statements: ["UPDATE sign_ins SET expires_at = now() + interval '1 year'"] },
  {
    name: "make an access token for an admin",
    statements: [
      `INSERT INTO access_tokens (user_id, name, scope, secret_hash, hint, by_passkey, expires_at)
        VALUES (@admin, 'Mine', 'run', 'mine', 'mine', true, now() + interval '1 day')`,
    ],
  },
  { name: "revive a revoked access token", statements: ["UPDATE access_tokens SET revoked_at = NULL"] },
  { name: "give an access token more rights", statements: ["UPDATE access_tokens SET scope = 'run'"] },
  {
    name: "deactivate an admin",
    statements: [`UPDATE users SET deactivated_at = now() WHERE id = @admin`],
  },
  {
    name: "delete another's account",
    statements: [
      `UPDATE users SET email = NULL, password_hash = NULL, deactivated_at = now(), deleted_at = now() WHERE id = @ana`,
    ],
  },
  {
    name: "deactivate a guest who plays",
    statements: ["UPDATE users SET deactivated_at = now() WHERE id = @guest"],
  },
  { name: "make an account a guest", statements: [`UPDATE users SET guest = true WHERE id = @ana`] },
  { name: "mute a player in silence", statements: ["UPDATE mutes SET until = now() + interval '1 year'"] },
  { name: "readmit an excluded player in silence", statements: ["DELETE FROM exclusions"] },
  {
    name: "send what happens to another address",
    statements: ["UPDATE webhooks SET url = 'https://mine.example.test'"],
  },
];
