import type { Answer, TestClient } from "#tests/support/client.ts";

/** Sends a request with an empty body; again where a picture was not drawn in time, because it is drawn on. */
export async function ask(
  client: Pick<TestClient, "get" | "send">,
  method: string,
  path: string,
): Promise<Answer> {
  for (;;) {
    const answer = method === "GET" ? await client.get(path) : await client.send(method, path, {});
    if (answer.status !== 503) return answer;
  }
}
