/**
 * The settings of Bun's allocator for a process that serves, as environment variables: they are read before any of our code runs.
 * Freed memory goes back to the system after 10 s (milliseconds here), because the next page needs it again. With mimalloc's
 * default a page takes a tenth more CPU time. The Dockerfile, the units of systemd and package.json set the same. See
 * `purge_delay` in mimalloc's documentation.
 */
export const allocatorVariables = { MIMALLOC_PURGE_DELAY: "10000" };
