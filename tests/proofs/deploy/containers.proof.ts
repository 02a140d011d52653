import { expect, test } from "bun:test";
import { startContainers } from "#tests/deploy/containers.ts";
import { figure } from "#tests/prove/figure.ts";

// The image and compose.yaml, as deploy/machines.md says: from nothing to a show that has paid a guest, to the next release, and back.
const MS_PER_SECOND = 1_000;
const ORIGIN = "https://play.example.com";
const secret = () => crypto.randomUUID().replaceAll("-", "").repeat(2);

test("Compose builds the image, starts the product, and a show is played; the next release and the way back interrupt nobody", async () => {
  const token = secret();
  const { compose, visit } = await startContainers({
    METRICS_TOKEN: token,
    PUBLIC_URL: ORIGIN,
    SMTP_URL: "smtp://user:password@mail.example.com:587",
    SECRET_KEY: secret(),
    POSTGRES_PASSWORD: secret(),
    POSTGRES_OWNER_PASSWORD: secret(),
    REDIS_PASSWORD: secret(),
  });
  const release = (commit: string) => ({ COMMIT: commit });
  const startedAtMs = performance.now();
  await build(compose, release("first"));
  await compose(["up", "--detach", "--no-build"], release("first"));
  figure(`built and up after ${seconds(startedAtMs)} s`);
  const made = await compose(["exec", "-T", "web-1", "bun", "src/run/admin.ts", "you@example.com"]);
  const link = /https:\S+/.exec(made)?.[0] ?? "";
  const show = await visit(["tests/deploy/first-show.ts", ORIGIN, link]);
  expect(show).toContain("a guest's call is resolved");
  for (const name of ["second", "first"]) {
    const visitors = visit(["tests/deploy/ask-all-the-time.ts", ORIGIN, name, token]);
    await replace(compose, release(name));
    const asked = await visitors;
    figure(`to the release "${name}": ${asked.trim()}`);
    expect(asked).toMatch(/^[1-9]\d* asked, 0 failed$/m);
  }
  const owner = ["run", "--rm", "owner", "bun"];
  expect(await compose([...owner, "src/run/reconcile.ts"])).toContain("The books and the scores agree.");
  await compose([...owner, "src/run/backup.ts", "/data/called-it.backup"]);
});

type Compose = Awaited<ReturnType<typeof startContainers>>["compose"];

/** "A new release" of deploy/machines.md. */
async function replace(compose: Compose, env: Record<string, string>): Promise<void> {
  await build(compose, env);
  await compose(["run", "--rm", "migrate"], env);
  for (const name of ["web-1", "web-2"]) await compose(["up", "--detach", "--no-deps", "--wait", name], env);
  // Of the worker podman says a health that Compose does not know.
  await compose(["up", "--detach", "--no-deps", "worker"], env);
}

/** Docker builds an image once, however many services have it, and again for another COMMIT; podman builds it for each, and keeps that. */
const build = (compose: Compose, env: Record<string, string>) =>
  compose(["build", "--no-cache", "web-1"], env);

const seconds = (sinceMs: number) => Math.round((performance.now() - sinceMs) / MS_PER_SECOND);
