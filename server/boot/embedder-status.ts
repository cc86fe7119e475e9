/** Which embedder a server uses, and how far a switch to another one has come. */

import type { Parts } from "../../core/parts.ts";

export interface EmbedderState {
	/** The embedder used for searches. */
	readonly active: string;
	/** The embedder whose vectors are being computed, with their number and their share of all (0 to 1); null for none. */
	readonly next: { readonly name: string; readonly written: number; readonly share: number } | null;
	/** The previous embedder, to which switching back is quick; null when there is none or its plugin is gone. */
	readonly previous: string | null;
	/** All available embedders. */
	readonly known: readonly string[];
}

export async function embedderState({ embedders, storage }: Pick<Parts, "embedders" | "storage">): Promise<EmbedderState> {
	const { next, previous, written, share } = await storage.spaces.state();
	const nameOf = (space: string | null) => (space === null ? null : (embedders.ofSpace(space)?.name ?? null));
	const nextName = nameOf(next);
	return {
		active: embedders.active().name,
		next: nextName === null ? null : { name: nextName, written, share: Math.round(share * 1_000) / 1_000 },
		previous: nameOf(previous),
		known: embedders.names(),
	};
}
