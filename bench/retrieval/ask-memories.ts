/**
 * Stores the texts of a collection as memories, word for word, each group in a container of its own, and asks each question
 * twice: in its own container, and in one about whose contents it was not asked.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createStep } from "../../core/language/step.ts";
import { createMemories } from "../../core/memories/create.ts";
import { type MemoryId, newId, type OrganisationId } from "../../core/model/id.ts";
import { wholeOrganisation } from "../../core/model/scope.ts";
import type { Parts } from "../../core/parts.ts";
import type { QueryVariant } from "../../core/ranking/query-variant.ts";
import { queryVariants } from "../../core/search/query-variants.ts";
import { retrieveMemories } from "../../core/search/retrieve.ts";
import { byGroup, type Collection, wholeText } from "../../server/evaluation/collection.ts";
import { readCollection } from "../../server/evaluation/read-collection.ts";

export interface MemoryHit {
	/** Its relevance. */
	readonly score: number;
	/** Whether it answers the question. */
	readonly isRight: boolean;
}

/** A question and what is found for it, best first. */
export interface AskedMemory {
	readonly variants: readonly QueryVariant[];
	readonly own: readonly MemoryHit[];
	readonly strange: readonly MemoryHit[];
}

/** So many that enough are left of those that were there in time, see `ordersIn`, and in a container with a tenth of the memories. */
const candidatesMax = 100;

/** Where a collection has no groups, so many texts in a row are one: an article or two. */
const groupTexts = 80;
/** So many groups are enough to tell, and are filled in seconds. */
const groupsMax = 24;

/** @param half every other group, from the first or the second on; null for all */
export async function askMemories(
	folder: string,
	parts: Parts,
	questionsMax: number,
	half: number | null,
	signal: AbortSignal,
): Promise<readonly AskedMemory[]> {
	const collection = grouped(await readCollection(folder));
	const step = createStep(parts.world, signal);
	const organisation = newId<OrganisationId>(parts.world.randomBytes);
	const tenant = parts.storage.organisation(organisation);
	const orders = ordersIn(folder);
	const idOf = new Map<MemoryId, string>();
	const halved = [...byGroup(collection.documents)].filter((_, i) => half === null || i % 2 === half);
	const groups = halved.filter((_, i) => i % Math.ceil(halved.length / groupsMax) === 0);
	for (const [group, documents] of groups) {
		const told = documents.filter((each) => wholeText(each).trim() !== "");
		const written = told.map((each) => ({ text: wholeText(each), isStatic: false, metadata: {}, forgetAfter: null, forgetReason: null }));
		const { memories } = await createMemories(group, written, organisation, { ...parts, tenant }, step);
		if (memories.length !== told.length) throw new Error(`${group} holds ${memories.length} memories instead of ${told.length}`);
		for (const [i, { id }] of memories.entries()) idOf.set(id, told[i]?.id ?? "");
	}
	const search = async (variants: readonly QueryVariant[], group: string, before: number, answers: ReadonlyMap<string, number>) => {
		const memoryFilter = { scope: { ...wholeOrganisation, containerTags: [group] }, includeForgotten: false, now: parts.world.now() };
		const { candidates } = await retrieveMemories(variants, memoryFilter, candidatesMax, tenant, parts.embedder.space);
		const named = candidates.map(({ hit, score }) => ({ score, id: idOf.get(hit.id) ?? "" }));
		return named.filter(({ id }) => (orders.get(id) ?? -1) < before).map(({ score, id }) => ({ score, isRight: answers.has(id) }));
	};
	const names = groups.map(([name]) => name);
	const asked: AskedMemory[] = [];
	const questions = collection.questions.filter(({ group }) => group !== null && names.includes(group));
	const every = Math.max(1, questions.length / questionsMax);
	for (let i = 0; i * every < questions.length; i++) {
		const question = questions[Math.floor(i * every)];
		if (question === undefined || question.group === null) continue;
		const variants = await queryVariants(question.text, [], parts.embedder, step);
		const at = names.indexOf(question.group);
		const other = names[(at + 1 + (i % (names.length - 1))) % names.length] ?? "";
		const answers = collection.relevant.get(question.id) ?? new Map();
		const own = await search(variants, question.group, orders.get(question.id) ?? Number.POSITIVE_INFINITY, answers);
		asked.push({ variants, own, strange: await search(variants, other, Number.POSITIVE_INFINITY, new Map()) });
	}
	return asked;
}

/** A question belongs to the group of what answers it. */
function grouped(collection: Collection): Collection {
	if (collection.questions.some(({ group }) => group !== null)) return collection;
	const groupOf = new Map(collection.documents.map(({ id }, i) => [id, `${Math.floor(i / groupTexts)}`]));
	return {
		...collection,
		documents: collection.documents.map((each) => ({ ...each, group: groupOf.get(each.id) ?? null })),
		questions: collection.questions.map((each) => ({ ...each, group: groupOf.get([...(collection.relevant.get(each.id)?.keys() ?? [])][0] ?? "") ?? null })),
	};
}

/** Where texts and questions have an `ord`, a question knows only what was said before it. */
function ordersIn(folder: string): ReadonlyMap<string, number> {
	const lines = ["corpus", "queries"].flatMap((name) => readFileSync(join(folder, `${name}.jsonl`), "utf8").split("\n"));
	return new Map(
		lines.flatMap((line): (readonly [string, number])[] => {
			const { _id, ord } = line === "" ? {} : JSON.parse(line);
			return typeof ord === "number" ? [[_id, ord]] : [];
		}),
	);
}
