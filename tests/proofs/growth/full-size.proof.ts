import { size } from "#tests/growth/fill-size.ts";

// The tests of reads.test.ts, with 2 million entries.
size.isFull = true;
await import("#tests/growth/reads.test.ts");
