/** A file that cannot be read. Its message says what to do. */
export class UnreadableFile extends Error {}
