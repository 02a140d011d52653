import type { Statement } from "./statements.ts";

const client = "tests/client/api.test.ts";
const onServer = "tests/client/api-on-server.test.ts";
const texts = "tests/http/error-texts.test.ts";

/** The statements of chapter 8 of the specification, the errors, by number. */
export const errorStatements: Readonly<Record<string, Statement>> = {
  "8.01": {
    says: "an answer outside 200-299 is an error with the response and its body",
    test: [onServer, "an answer outside 200-299 is an error with the response and its body"],
  },
  "8.02": { says: "204 is an empty result", test: [client, "204 is null"] },
  "8.03": {
    says: "Request with GET/HEAD method cannot have data.",
    test: [client, "with GET or HEAD and a body is refused before it is sent"],
  },
  "8.04": {
    says: "cannot transition when {state}",
    test: [texts, "a transition that the state does not allow"],
  },
  "8.05": {
    says: 'cannot transition via "{event}"',
    test: [texts, "an action that the state does not allow"],
  },
  "8.06": {
    says: "Validation failed: {errors}",
    test: ["tests/http/read-resource.test.ts", "a missing field is required"],
  },
  "8.07": {
    says: "a record that others depend on cannot be deleted",
    test: [texts, "deleting a record that others depend on"],
  },
  "8.08": {
    says: "already signed in",
    test: [texts, "signing in twice"],
  },
  "8.09": {
    says: "account not activated",
    test: [
      "tests/sign-ins/sign-in.test.ts",
      "a deactivated account is reported, but only after the right password",
    ],
  },
  "8.10": {
    says: "invalid credentials",
    test: [
      "tests/sign-ins/sign-in.test.ts",
      "an unknown email and a wrong password are refused with the same text",
    ],
  },
  "8.11": {
    says: "one more attempt before the lock",
    test: [
      "tests/sign-ins/locking.test.ts",
      "the nineteenth wrong password warns, the twentieth locks, also for the right password",
    ],
  },
  "8.12": {
    says: "account locked",
    test: [
      "tests/sign-ins/locking.test.ts",
      "the nineteenth wrong password warns, the twentieth locks, also for the right password",
    ],
  },
  "8.13": {
    says: "session expired",
    test: [texts, "an expired sign-in"],
  },
  "8.14": {
    says: "need to sign in or sign up",
    test: [texts, "a request without a sign-in"],
  },
  "8.15": {
    says: "must confirm email",
    test: [
      "tests/users/confirm-email.test.ts",
      "an unconfirmed address may sign in for 24 hours, and not after that",
    ],
  },
  "8.16": {
    says: "a new password needs the link of the mail",
    test: [
      "tests/users/reset-password.test.ts",
      "without a token the page is refused, and a wrong token is invalid",
    ],
  },
  "8.17": { says: "wrong spot state", test: [texts, "a call on a closed spot"] },
  "8.18": {
    says: "insufficient balance",
    test: [texts, "a call that the balance does not cover"],
  },
  "8.19": {
    says: "each error says what to do next",
    test: ["tests/ssr/next-steps.test.ts", "the page after %s says so, and what to do next"],
    also: ["tests/client/refused.test.ts", "a form says what to do after %s, and keeps what was typed"],
  },
};
