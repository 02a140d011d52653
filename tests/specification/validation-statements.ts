import type { NamedTest, Statement } from "./statements.ts";

const texts = "tests/http/validation-texts.test.ts";
const signIn = "tests/sign-ins/sign-in.test.ts";
const singular: NamedTest = [texts, "a count of one is in the singular"];
const getWithBody: NamedTest = [
  "tests/client/api.test.ts",
  "with GET or HEAD and a body is refused before it is sent",
];

/** The statements of chapter 5 of the specification, validation rules, by number. */
export const validationStatements: Readonly<Record<string, Statement>> = {
  "5.01": { says: "is required", test: [texts, "is required"] },
  "5.02": { says: "is invalid", test: [texts, "is invalid"] },
  "5.03": {
    says: "is not a valid {type}",
    test: [texts, "is not a valid date"],
    also: [texts, "is not a valid boolean"],
  },
  "5.04": { says: "can't be blank", test: [texts, "can't be blank"] },
  "5.05": { says: "must be accepted", test: [texts, "must be accepted"] },
  "5.06": { says: "doesn't match {attribute}", test: [texts, "doesn't match"] },
  "5.07": { says: "is too long, with a count", test: [texts, "is too long"], also: singular },
  "5.08": { says: "is too short, with a count", test: [texts, "is too short"], also: singular },
  "5.09": { says: "must be an integer", test: [texts, "must be an integer"] },
  "5.10": { says: "is not a number", test: [texts, "is not a number"] },
  "5.11": {
    says: "must be greater than a count",
    test: [texts, "must be greater than"],
    also: [texts, "must be greater than or equal to"],
  },
  "5.12": { says: "must be less than a count", test: [texts, "must be less than"] },
  "5.13": { says: "has already been taken", test: [texts, "has already been taken"] },
  "5.14": { says: "is reserved", test: [texts, "is reserved"] },
  "5.15": {
    says: "not found",
    test: [texts, "what does not exist, or belongs to another player, is not found"],
  },
  "5.16": { says: "must exist", test: [texts, "must exist"] },
  "5.17": {
    says: "has insufficient balance to cover",
    test: [texts, "has insufficient balance to cover"],
  },
  "5.18": { says: "has wrong state", test: [texts, "has wrong state"] },
  "5.19": {
    says: "Invalid credentials or password",
    test: [signIn, "an unknown email and a wrong password are refused with the same text"],
  },
  "5.20": {
    says: "account locked",
    test: [
      "tests/sign-ins/locking.test.ts",
      "the nineteenth wrong password warns, the twentieth locks, also for the right password",
    ],
  },
  "5.21": {
    says: "session expired",
    test: ["tests/http/error-texts.test.ts", "an expired sign-in"],
    also: [
      "tests/sign-ins/authenticate.test.ts",
      "after 30 idle minutes a sign-in has expired, and the answer says so",
    ],
  },
  "5.22": {
    says: "need to sign in",
    test: ["tests/http/error-texts.test.ts", "a request without a sign-in"],
  },
  "5.23": {
    says: "must confirm email",
    test: [
      "tests/users/confirm-email.test.ts",
      "an unconfirmed address may sign in for 24 hours, and not after that",
    ],
  },
  "5.24": { says: "the client refuses GET with a body", test: getWithBody },
  "5.25": { says: "and HEAD with a body", test: getWithBody },
  "5.26": {
    says: "fields have bounds",
    test: [texts, "%s is within the bounds, and one step further is not"],
  },
};
