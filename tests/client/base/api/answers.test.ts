import { expect, expectTypeOf, test } from "bun:test";
import type { AnswerAt, KnownPath } from "#client/base/api/answers.ts";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import type { CallAnswer } from "#src/play/calls/schemas.ts";
import type { ProfileAnswer, UsersAnswer } from "#src/profiles/schemas.ts";
import type { NewBlueprintAnswer } from "#src/show/blueprints/schemas.ts";
import type { EventsAnswer } from "#src/show/events/schemas.ts";

test("the type of an answer follows from the method and the path", () => {
  expectTypeOf<AnswerAt<"GET", "/api/v1/users">>().toEqualTypeOf<UsersAnswer>();
  expectTypeOf<AnswerAt<"GET", `/api/v1/users/${number}`>>().toEqualTypeOf<ProfileAnswer>();
  expectTypeOf<AnswerAt<"POST", "/api/v1/calls">>().toEqualTypeOf<CallAnswer>();
  expectTypeOf<AnswerAt<"GET", `/api/v1/sessions/${string}/events`>>().toEqualTypeOf<EventsAnswer>();
});

test("a literal path takes precedence over one with parameters", () => {
  expectTypeOf<AnswerAt<"GET", "/api/v1/users/me">>().toEqualTypeOf<ProfileAnswer>();
  expectTypeOf<AnswerAt<"GET", "/api/v1/blueprints/new">>().toEqualTypeOf<NewBlueprintAnswer>();
});

test("the type of an empty answer is null", () => {
  expectTypeOf<AnswerAt<"DELETE", `/api/v1/calls/${number}`>>().toEqualTypeOf<null>();
});

test("an unknown path, and one that is not known at compile time, are refused", () => {
  expectTypeOf<
    KnownPath<"GET", "/api/v1/nowhere">
  >().toEqualTypeOf<"no endpoint answers GET /api/v1/nowhere">();
  expectTypeOf<KnownPath<"PUT", "/api/v1/users/me">>().not.toEqualTypeOf<"/api/v1/users/me">();
  expectTypeOf<string>().not.toExtend<KnownPath<"GET", string>>();
});

test("the API client returns these types", async () => {
  const api = createApi({
    inProcess: true,
    carry: overHttp({
      csrfToken: "",
      send: () => Promise.resolve(Response.json({ users: [] })),
    }),
  });
  const answer = await api.get("/api/v1/users", { query: { page: 2 } });
  expectTypeOf(answer).toEqualTypeOf<UsersAnswer>();
  expect(answer.users).toEqual([]);
});
