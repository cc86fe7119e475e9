/** Combines a language model's judgement of known memories with the links that the rules have found. */

import type { Link } from "../../model/memory.ts";
import type { Linking, Neighbour } from "../../plugin/contract.ts";
import type { TenantStore } from "../../ports/storage.ts";
import type { ModelJudgement } from "../extract-with-model.ts";

export interface Linked extends Linking {
	readonly neighbours: readonly Neighbour[];
}

/**
 * For the memories in the model's prompt, only the model decides which are replaced, since it has read both texts. Memories that are gone
 * by now, no longer the latest version, or in another container are not replaced.
 * @param rulesResult the result of the linkers
 */
export async function applyJudgement(
	rulesResult: Linked,
	judgement: ModelJudgement | undefined,
	containerTag: string,
	{ memories }: Pick<TenantStore, "memories">,
): Promise<Linked> {
	if (judgement === undefined) return rulesResult;
	const found = judgement.replaces.size === 0 ? [] : await memories.get([...judgement.replaces]);
	const replaced = found.filter((memory) => memory.containerTag === containerTag && memory.isLatest && !memory.isForgotten);
	const replacedIds = new Set(replaced.map(({ id }) => id));
	const duplicateOf = rulesResult.duplicateOf !== null && replacedIds.has(rulesResult.duplicateOf) ? null : rulesResult.duplicateOf;
	if (duplicateOf !== null) return { ...rulesResult, duplicateOf, links: [] };
	const byRules = rulesResult.links.filter(({ relation, target }) => !replacedIds.has(target) && (relation !== "updates" || !judgement.shown.has(target)));
	const neighbourIds = new Set(rulesResult.neighbours.map(({ memory }) => memory.id));
	return {
		duplicateOf,
		links: [...replaced.map(({ id }): Link => ({ relation: "updates", target: id })), ...byRules],
		neighbours: [...rulesResult.neighbours, ...replaced.filter(({ id }) => !neighbourIds.has(id)).map((memory): Neighbour => ({ memory, affinity: 1 }))],
	};
}
