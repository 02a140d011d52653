import { fuzz } from "./fuzz-size.ts";

// The test of fuzz.test.ts, with ten times as many requests.
fuzz.requests = 20_000;
await import("./fuzz.test.ts");
