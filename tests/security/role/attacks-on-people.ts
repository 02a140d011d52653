import { type Attacks, found, INVENTED, line, refused } from "./attack.ts";

export const peopleAttacks: Attacks = {
  "grant the admin role": refused(`INSERT INTO user_roles (user_id, role) VALUES (@bob, 'admin')`),
  "grant it, and tell something else": found(
    INVENTED,
    `INSERT INTO user_roles (user_id, role) VALUES (@bob, 'admin')`,
    line("@admin", { action: "change_roles", type: "user", subject: "@bob", after: { roles: [] } }),
  ),
  "grant it, and tell another change of the user": refused(
    `INSERT INTO user_roles (user_id, role) VALUES (@bob, 'admin')`,
    line("@admin", { action: "change_profile", type: "user", subject: "@bob" }),
  ),
  "make a host of a session": refused(
    `INSERT INTO session_hosts (session_id, user_id, made_by_id) VALUES (@session, @ana, @admin)`,
  ),
  "make a host of a session, and tell another change of the user": refused(
    `INSERT INTO session_hosts (session_id, user_id, made_by_id) VALUES (@session, @ana, @admin)`,
    line("@admin", { action: "change_profile", type: "user", subject: "@ana" }),
  ),
  "notify a host who was never made": refused(
    line("@admin", { action: "add_session_host", type: "user", subject: "@ana" }),
  ),
  "set another's password, and send the notice to oneself": refused(
    `UPDATE users SET password_hash = 'mine' WHERE id = @admin`,
    `INSERT INTO mails (kind, recipient, user_id) VALUES ('password_changed', 'mine@example.test', @admin)`,
  ),
  "set another's password, and take the notice back": refused(
    `UPDATE users SET password_hash = 'mine' WHERE id = @ana`,
    `INSERT INTO mails (kind, recipient, user_id)
        SELECT 'password_changed', email, id FROM users WHERE id = @ana`,
    "SET CONSTRAINTS users_password_noticed IMMEDIATE",
    "DELETE FROM mails WHERE kind = 'password_changed'",
  ),
  "set another's address, and ask the new one only": refused(
    `UPDATE users SET email = 'mine@example.test' WHERE id = @admin`,
    `INSERT INTO mails (kind, recipient, user_id) VALUES ('email_changed', 'mine@example.test', @admin)`,
  ),
  "add a passkey to another's account": refused(
    `INSERT INTO passkeys (user_id, credential_id, public_key, sign_count, name) VALUES (@admin, 'x', 'x', 0, 'x')`,
  ),
  "revive an ended sign-in": refused("UPDATE sign_ins SET ended_at = NULL WHERE ended_at IS NOT NULL"),
  "make an access token for an admin":
    refused(`INSERT INTO access_tokens (user_id, name, scope, secret_hash, hint, by_passkey, expires_at)
        VALUES (@admin, 'Mine', 'run', 'mine', 'mine', true, now() + interval '1 day')`),
  "revive a revoked access token": refused("UPDATE access_tokens SET revoked_at = NULL"),
  "delete another's account": refused(
    `UPDATE users SET email = NULL, password_hash = NULL, deactivated_at = now(), deleted_at = now() WHERE id = @ana`,
  ),
  "deactivate a guest who plays": refused("UPDATE users SET deactivated_at = now() WHERE id = @guest"),
  "tell a webhook of a private session": refused("UPDATE webhooks SET session_ids = '{1}'"),
};
