/** What a language model has said of known memories takes the place of what the rules say of these. */

import type { Link } from "../../model/memory.ts";
import type { Linking, Neighbour } from "../../plugin/contract.ts";
import type { TenantStore } from "../../ports/storage.ts";
import type { Judged } from "../extract-with-model.ts";

export interface Linked extends Linking {
	readonly neighbours: readonly Neighbour[];
}

/**
 * Of what the model was shown it alone says what is replaced: it has read both. What is gone meanwhile, is no longer the latest,
 * or is in another container is left alone.
 * @param linked what the linkers say
 */
export async function asJudged(linked: Linked, judged: Judged | undefined, containerTag: string, { memories }: Pick<TenantStore, "memories">): Promise<Linked> {
	if (judged === undefined) return linked;
	const found = judged.replaces.size === 0 ? [] : await memories.get([...judged.replaces]);
	const replaced = found.filter((memory) => memory.containerTag === containerTag && memory.isLatest && !memory.isForgotten);
	const named = new Set(replaced.map(({ id }) => id));
	const duplicateOf = linked.duplicateOf !== null && named.has(linked.duplicateOf) ? null : linked.duplicateOf;
	if (duplicateOf !== null) return { ...linked, duplicateOf, links: [] };
	const byRules = linked.links.filter(({ relation, target }) => !named.has(target) && (relation !== "updates" || !judged.shown.has(target)));
	const offered = new Set(linked.neighbours.map(({ memory }) => memory.id));
	return {
		duplicateOf,
		links: [...replaced.map(({ id }): Link => ({ relation: "updates", target: id })), ...byRules],
		neighbours: [...linked.neighbours, ...replaced.filter(({ id }) => !offered.has(id)).map((memory): Neighbour => ({ memory, affinity: 1 }))],
	};
}
