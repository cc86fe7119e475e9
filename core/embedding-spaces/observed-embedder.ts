/** Wraps an embedder so that each of its batches is observed. */

import type { Embedder } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";
import { observed } from "../runtime/observed.ts";

/** The wrapped embedder delegates to the given one, whose other members may be computed. Without an observer the embedder is returned unchanged. */
export function observedEmbedder(embedder: Embedder, world: Pick<World, "observer">): Embedder {
	if (world.observer === undefined) return embedder;
	const embed: Embedder["embed"] = (texts, purpose, step) => observed(world, "embed", purpose, () => embedder.embed(texts, purpose, step));
	return Object.create(embedder, { embed: { value: embed } }) as Embedder;
}
