import * as v from "valibot";
import { directUploadAnswer } from "#src/people/storage/schemas.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { announcementOf } from "#tests/people/storage/uploads.ts";
import { PASSWORD, until, Visitor } from "./visitor.ts";

// bun tests/deploy/kept-by-a-restore.ts ORIGIN ADMIN_COOKIE PLAYER_COOKIE: what the people of first-show.ts have, as they see it, a line each. The
// first run gives them what the show has not: a picture and a webhook.

const [origin = "", adminCookie = "", playerCookie = ""] = process.argv.slice(2);
const say = (line: string) => void process.stdout.write(`${line}\n`);
const profile = v.object({
  user: v.object({
    id: v.number(),
    email: v.string(),
    avatar: v.object({ original: v.nullable(v.string()) }),
  }),
});
const wallet = v.object({ wallet: v.object({ balanceCents: v.number() }) });
const webhook = v.object({ webhook: v.object({ id: v.number() }), secret: v.string() });

const [admin, player, elsewhere] = [
  new Visitor(origin, adminCookie),
  new Visitor(origin, playerCookie),
  new Visitor(origin),
];
const me = async (visitor: Visitor) => v.parse(profile, await visitor.send("GET", "/api/v1/users/me")).user;

const { id, email, avatar } = await me(player);
say(`signed in: ${email} and ${(await me(admin)).email}`);
await elsewhere.send("POST", "/users/sign_in", { user: { email, password: PASSWORD } });
say(`signed in by password: ${(await me(elsewhere)).email}`);
const { balanceCents } = v.parse(wallet, await player.send("GET", `/api/v1/users/${id}/wallet`)).wallet;
say(`wallet: ${balanceCents} cents`);

if (avatar.original === null) {
  const bytes = Buffer.from(await picture("png"));
  const announced = await player.send("POST", "/api/v1/storage/direct_uploads", {
    blob: announcementOf(bytes),
  });
  const { signedId, directUpload } = v.parse(directUploadAnswer, announced);
  const { status } = await fetch(directUpload.url, {
    method: "PUT",
    headers: directUpload.headers,
    body: bytes,
  });
  if (status !== 204) throw new Error(`the upload answered ${status}`);
  await player.send("PATCH", `/api/v1/users/${id}`, { user: { avatar: signedId } });
}
const address = await until("the picture", async () => (await me(player)).avatar.original);
const shown = await fetch(new URL(address, origin));
say(`picture: ${shown.status} ${Bun.SHA256.hash(await shown.arrayBuffer(), "hex")}`);

// The same key, so the same webhook: its secret is derived again by who answers.
const key = { "idempotency-key": "kept-by-a-restore" };
const terms = { name: "Scoreboard", url: "https://example.com/called-it" };
const made = v.parse(webhook, await admin.send("POST", "/api/v1/webhooks", { webhook: terms }, key));
say(`webhook ${made.webhook.id}: ${made.secret}`);
// Nobody is there who could take its messages.
await admin.send("PATCH", `/api/v1/webhooks/${made.webhook.id}`, { webhook: { enabled: false } });
