/** Redis is away or accepted only a part. No fact is marked; all of them are broadcast again later. */
export class BroadcastFailed extends Error {
  override readonly name = "BroadcastFailed";
}
