/**
 * The game in one picture: two calls make a pool, the clock runs out, and the side that was right gets the pool. It moves once, for
 * less than five seconds, so nobody needs to stop it. With reduced motion it is the end of it.
 */
export function MovingPicture() {
  return (
    <svg className="moving-picture" viewBox="0 0 320 120" aria-hidden="true">
      <g className="picture-clock">
        <path className="track" d="M92 60L60 92A32 32 0 0 1 60 28Z" />
        <path className="run" pathLength="100" d="M92 60L60 92A32 32 0 0 1 60 28Z" />
        <path className="tick" d="M45 60l9 9L70 52" />
      </g>
      <g className="picture-sides">
        <circle className="true" cx="146" cy="36" r="16" />
        <path className="false" d="M280 18L298 36L280 54L262 36Z" />
      </g>
      <g className="picture-pool">
        <path className="true" d="M138 76H214V100H138A12 12 0 0 1 138 76Z" />
        <path className="false" d="M218 76H288L300 88L288 100H218Z" />
      </g>
      <path className="picture-win" d="M138 76H288L300 88L288 100H138A12 12 0 0 1 138 76Z" />
    </svg>
  );
}
