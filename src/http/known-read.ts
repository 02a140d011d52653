type Reader<Question, Answer> = (question: Question) => Promise<Answer | null>;

export type KnownRead<Question, Answer> = {
  /** Lets this request be answered by `reader`, which returns null for what it has not read. */
  provide: (request: Request, reader: Reader<Question, Answer>) => void;
  /** Null if the answer is not known. */
  find: (request: Request, question: Question) => Promise<Answer | null>;
};

/**
 * A read whose answer may be known before the handler of its request runs, because a later room has read it together with the
 * sign-in. The handler asks here first. It still decides who may read, and it queries what is not known.
 */
export function createKnownRead<Question, Answer>(): KnownRead<Question, Answer> {
  const readers = new WeakMap<Request, Reader<Question, Answer>>();
  return {
    provide: (request, reader) => {
      readers.set(request, reader);
    },
    find: async (request, question) => (await readers.get(request)?.(question)) ?? null,
  };
}
