import type { Statement } from "./statement.ts";

const client = "tests/client/api.test.ts";
const onServer = "tests/client/api-on-server.test.ts";
const texts = "tests/http/error-texts.test.ts";

/** What the specification's catalogue of errors says (8), by number. */
export const errorStatements: Readonly<Record<string, Statement>> = {
  "8.01": {
    says: "an answer outside 200-299 is an error with the answer and its body",
    test: [onServer, "an answer outside 200-299 is an error that carries the answer and what it says"],
  },
  "8.02": { says: "204 is an empty result", test: [client, "204 is an empty result"] },
  "8.03": {
    says: "Request with GET/HEAD method cannot have data.",
    test: [client, "a GET or HEAD with a body is refused before it is sent"],
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
    test: ["tests/http/read-body.test.ts", "what is missing is required"],
  },
  "8.07": {
    says: "what others depend on is not deleted",
    test: [texts, "a record that others need"],
  },
  "8.08": {
    says: "already signed in",
    test: [texts, "signing in twice"],
  },
  "8.09": {
    says: "account not activated",
    test: [
      "tests/sign-ins/sign-in.test.ts",
      "a deactivated account is told so, but only after the right password",
    ],
  },
  "8.10": {
    says: "invalid credentials",
    test: [
      "tests/sign-ins/sign-in.test.ts",
      "an unknown email and a wrong password are refused in the same words, and nobody is signed in",
    ],
  },
  "8.11": {
    says: "one more attempt before the lock",
    test: [
      "tests/sign-ins/locking.test.ts",
      "the nineteenth wrong password brings the warning, the twentieth locks, and then the right one opens nothing",
    ],
  },
  "8.12": {
    says: "account locked",
    test: [
      "tests/sign-ins/locking.test.ts",
      "the nineteenth wrong password brings the warning, the twentieth locks, and then the right one opens nothing",
    ],
  },
  "8.13": {
    says: "session expired",
    test: [texts, "a sign-in whose time is over"],
  },
  "8.14": {
    says: "need to sign in or sign up",
    test: [texts, "asking without a sign-in"],
  },
  "8.15": {
    says: "must confirm email",
    test: [
      "tests/users/confirm-email.test.ts",
      "for 24 hours one comes in without, then no more, with the right password too",
    ],
  },
  "8.16": {
    says: "no new password without the mail's link",
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
    says: "each error names what to do next",
    test: ["tests/client/refused.test.ts", "a form names the cure for %s, and keeps what was typed"],
  },
};
