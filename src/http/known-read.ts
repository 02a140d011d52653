type Reader<Question, Answer> = (question: Question) => Promise<Answer | null>;

/**
 * A read whose answer may be known before the handler of its request runs, because a later room has read it together with the
 * sign-in. The handler asks here first. It still decides who may read, and it queries what is not known.
 */
export function createKnownRead<Question, Answer>() {
  const readers = new WeakMap<Request, Reader<Question, Answer>>();
  return {
    /** Lets this request be answered by `reader`, which returns null for what it has not read. */
    provide: (request: Request, reader: Reader<Question, Answer>): void => {
      readers.set(request, reader);
    },
    /** Null if the answer is not known. */
    find: async (request: Request, question: Question): Promise<Answer | null> =>
      (await readers.get(request)?.(question)) ?? null,
  };
}
