import type { Show } from "../build-show.ts";
import type { Crowd, Player } from "./crowd.ts";
import type { Product } from "./product.ts";
import type { Cpu } from "./units.ts";

/** What a measurement goes on in. `idle`: what a second without requests takes. */
export type Scene = { product: Product; show: Show; players: Player[]; crowd: Crowd; idle: Cpu };
