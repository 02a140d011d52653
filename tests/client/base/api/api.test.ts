import { describe, expect, test } from "bun:test";
import { ApiError, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";

type Sent = { path: string; init: RequestInit };

/** An API that gives these answers, in order, and records its requests. */
function apiWith(...answers: Response[]) {
  const sent: Sent[] = [];
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "first-token",
      send: (path, init) => {
        sent.push({ path, init });
        return Promise.resolve(answers.shift() ?? Response.json({}));
      },
    }),
  });
  return { api, sent };
}

const headersOf = ({ init }: Sent) => new Headers(init.headers);

describe("a request", () => {
  test("is JSON with keys in snake_case, however deep, with cookies and the page's token", async () => {
    const { api, sent } = apiWith();
    await api.post("/api/v1/calls", { call: { spotId: 1, moreIn: [{ aKey: "keepThis" }] } });
    const [request] = sent;
    expect(request?.init.body).toBe('{"call":{"spot_id":1,"more_in":[{"a_key":"keepThis"}]}}');
    expect(request?.init.credentials).toBe("include");
    const headers = new Headers(request?.init.headers);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("accept")).toBe("application/json");
    expect(headers.get("x-csrf-token")).toBe("first-token");
  });

  test("has the token of the last answer, also of a refusal", async () => {
    const refusal = Response.json(
      { error: "no", code: "no" },
      { status: 422, headers: { "x-csrf-token": "newer" } },
    );
    const { api, sent } = apiWith(refusal);
    await api.put("/api/v1/sessions/1/start").catch(() => null);
    await api.delete("/api/v1/calls/1");
    expect(sent.map((request) => headersOf(request).get("x-csrf-token"))).toEqual(["first-token", "newer"]);
  });

  test("has its query in snake_case, without null and undefined", async () => {
    const { api, sent } = apiWith();
    await api.get("/api/v1/calls", {
      query: { sessionId: "a b", perPage: 5, page: null, outcome: undefined },
    });
    expect(sent[0]?.path).toBe("/api/v1/calls?session_id=a+b&per_page=5");
    expect(headersOf(sent[0] ?? { path: "", init: {} }).has("content-type")).toBe(false);
  });

  test("with GET or HEAD and a body is refused before it is sent", async () => {
    const { api, sent } = apiWith();
    for (const method of ["GET", "HEAD"]) {
      expect(api.request(method, "/api/v1/calls", { data: {} })).rejects.toThrow(
        "Request with GET/HEAD method cannot have data.",
      );
    }
    expect(sent).toEqual([]);
  });
});

describe("an answer", () => {
  test("is converted to camelCase", async () => {
    const { api } = apiWith(
      Response.json({ signed_id: "x", list: [{ byte_size: 1, already: { fooBar: "a_b" } }] }),
    );
    expect(await api.request("GET", "/api/v1/users/me")).toEqual({
      signedId: "x",
      list: [{ byteSize: 1, already: { fooBar: "a_b" } }],
    });
  });

  test("204 is null", async () => {
    const { api } = apiWith(new Response(null, { status: 204 }));
    expect(await api.delete("/api/v1/calls/1")).toBeNull();
  });

  for (const status of [301, 400, 404, 422, 500]) {
    test(`${status} is an error with the response and its body`, async () => {
      const body = { error: "Validation failed", code: "invalid", errors: { state_event: ["is invalid"] } };
      const { api } = apiWith(Response.json(body, { status }));
      const error = await api.get("/api/v1/users/me").catch((thrown: unknown) => thrown);
      if (!(error instanceof ApiError)) throw new Error("it should have been refused");
      expect(error.status).toBe(status);
      expect(error.response.status).toBe(status);
      expect(error.message).toBe("Validation failed");
      expect(error.body?.errors).toEqual({ stateEvent: ["is invalid"] });
    });
  }

  test("an error without a JSON body has a null body", async () => {
    const { api } = apiWith(new Response("<html>bad gateway</html>", { status: 502 }));
    const error = await api.get("/api/v1/users/me").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502, body: null });
  });
});
