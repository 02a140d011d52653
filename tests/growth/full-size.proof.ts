import { size } from "./fill-size.ts";

// The tests of reads.test.ts, with 10 million entries.
size.isFull = true;
await import("./reads.test.ts");
