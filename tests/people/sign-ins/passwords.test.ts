import { expect, spyOn, test } from "bun:test";
import { availableParallelism } from "node:os";
import { hashPassword, verifyPassword } from "#src/people/sign-ins/passwords.ts";

const HASHES_AT_ONCE = availableParallelism() > 2 ? 2 : 1;

test("a hash is argon2id with 19 MiB and 2 passes, and only its own password matches", async () => {
  const hash = await hashPassword("correct horse");
  expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(await verifyPassword("correct horse", hash)).toBe(true);
  expect(await verifyPassword("correct horsf", hash)).toBe(false);
  expect(await verifyPassword("correct horse", null)).toBe(false);
});

// Accents, Vietnamese, Hangul, and a sign of its own that is equal to a letter.
test("a password that was hashed as it was typed goes on, and an unknown user takes as many checks as a wrong password", async () => {
  const typed = "café über alles güt".normalize("NFD");
  const former = await Bun.password.hash(typed, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  expect(await verifyPassword(typed, former)).toBe(true);
  const check = spyOn(Bun.password, "verify").mockImplementation(async () => false);
  const checksOf = async (password: string, hash: string | null) => {
    check.mockClear();
    expect(await verifyPassword(password, hash)).toBe(false);
    return check.mock.calls.length;
  };
  const plain = "correct horse";
  const counts = [
    await checksOf(typed, former),
    await checksOf(typed, null),
    await checksOf(plain, former),
    await checksOf(plain, null),
  ];
  check.mockRestore();
  expect(counts).toEqual([2, 2, 1, 1]);
});

test("at most two are checked at the same time, one on a small machine, and all get an answer", async () => {
  const hash = await hashPassword("correct horse");
  const check = Bun.password.verify.bind(Bun.password);
  let running = 0;
  let most = 0;
  const counted = spyOn(Bun.password, "verify").mockImplementation(async (password, given) => {
    running += 1;
    most = Math.max(most, running);
    const matches = await check(password, given);
    running -= 1;
    return matches;
  });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => verifyPassword(index === 5 ? "wrong" : "correct horse", hash)),
  );
  counted.mockRestore();
  expect(most).toBe(HASHES_AT_ONCE);
  expect(answers).toEqual([true, true, true, true, true, false, true, true]);
});

test("when too many wait, the next is refused, and the waiting ones are served", async () => {
  const hash = await hashPassword("correct horse");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = spyOn(Bun.password, "verify").mockImplementation(async () => {
    await held;
    return true;
  });
  const waiting = Array.from({ length: 200 + HASHES_AT_ONCE }, () => verifyPassword("correct horse", hash));
  const refusal = await verifyPassword("correct horse", hash).catch(String);
  expect(refusal).toContain("Too many people are signing in");
  release();
  expect(await Promise.all(waiting)).toEqual(Array(200 + HASHES_AT_ONCE).fill(true));
  slow.mockRestore();
  expect(await verifyPassword("correct horse", hash)).toBe(true);
});
