// A program with a leak, from the signal on: it keeps more than a process of the product ever needs, and more each second.
const BYTES_AT_ONCE = 1_600_000_000;
const BYTES_EACH_SECOND = 5_000_000;
const kept: Uint8Array[] = [];

process.on("SIGWINCH", () => {
  kept.push(new Uint8Array(BYTES_AT_ONCE).fill(1));
  setInterval(() => kept.push(new Uint8Array(BYTES_EACH_SECOND).fill(1)), 1_000);
});
