/** What a scope holds is never out of date: whatever is written, the next search under the same scope shows it. */

import { asId } from "cairn-memory";
import { type Document, type RemovalId, type Scope, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { evidenceIn } from "../samples.ts";
import {
	addPublished,
	chunksByVector,
	chunksByWords,
	everything,
	firstChunk,
	type Ground,
	later,
	memoriesByVector,
	memoriesByWords,
	type OpenStorage,
	publishTexts,
	saveExtracted,
	saveMemory,
	storageTest,
} from "./ground.ts";

export function scopeChangeContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `scopes: ${name}`, holds);
	return [
		contractTest("a search under a scope shows every document that was added, changed, moved, taken away or brought back before it", chunksFollow),
		contractTest("a search under a scope shows every memory that was added, changed, forgotten or moved before it", memoriesFollow),
	];
}

const inTeam: Scope = { ...wholeOrganisation, containerTags: ["team"] };
const ofNews: Scope = { ...wholeOrganisation, filter: { kind: "equals", key: "category", value: "news", negate: false, ignoreCase: false } };
const atPath: Scope = { ...wholeOrganisation, filepath: "/shelf/" };
const scopes = { inTeam, ofNews, atPath } as const;
type Held = Readonly<Record<keyof typeof scopes, readonly string[]>>;

const home = { containerTags: ["team"], metadata: { category: "news" }, filepath: "/shelf/one" } as const;
const away = { containerTags: ["elsewhere"], metadata: { category: "tales" }, filepath: "/cellar/one" } as const;
const removal = asId<RemovalId>("remova1CCCCCCCCCCCCCCC");

/** Every scope is asked after every step, so that whoever remembers what it held has something to remember. */
async function chunksFollow(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const { documents, removals } = tenant;
	const kept = await addPublished(ground, ["canary one"], home);
	const stray = await addPublished(ground, ["canary two"], away);
	const [first, strayed] = [...kept.chunks, ...stray.chunks].map(({ id }) => id);
	demand(first !== undefined && strayed !== undefined, "there is no chunk");
	const chunks = async (what: string, expected: Partial<Held>, others: readonly string[]) => {
		for (const name of ["inTeam", "ofNews", "atPath"] as const) {
			const wanted = (expected[name] ?? others).toSorted();
			demandEqual((await chunksByWords(tenant, "canary", scopes[name])).toSorted(), wanted, `what is found by words ${name} after ${what}`);
			demandEqual(await chunksByVector(ground, scopes[name]), wanted, `what is found by vector ${name} after ${what}`);
		}
	};
	await chunks("the first document", {}, [first]);
	const added = await addPublished(ground, ["canary three", "canary four"], home);
	const more = [first, ...added.chunks.map(({ id }) => id)];
	await chunks("another was added", {}, more);
	const change = (document: Document, what: Parameters<typeof documents.change>[1]) => documents.change(document.id, what, later, null);
	for (const [key, name] of [
		["containerTags", "inTeam"],
		["metadata", "ofNews"],
		["filepath", "atPath"],
	] as const) {
		await change(stray.document, { [key]: home[key] });
		await chunks(`another's ${key} became those of the scope`, { [name]: [...more, strayed] }, more);
		await change(stray.document, { [key]: away[key] });
		await chunks(`another's ${key} changed back`, {}, more);
		await change(added.document, { [key]: away[key] });
		await chunks(`its own ${key} changed`, { [name]: [first] }, more);
		await change(added.document, { [key]: home[key] });
	}
	await chunks("all changed back", {}, more);
	const revised = await documents.change(
		added.document.id,
		{ content: { kind: "text", text: "canary five", mediaType: "text/plain" } },
		later,
		samples.makeJob(added.document),
	);
	demand(revised !== null && revised !== "taken", "a document could not be changed");
	const anew = await publishTexts(ground, revised, ["canary five"]);
	const renewed = [first, ...anew.chunks.map(({ id }) => id)];
	await chunks("it was published anew", {}, renewed);
	demand(await removals.setAside(added.document.id, removal, new Date(later.getTime() + 60_000), later), "a document was not set aside");
	await chunks("it was set aside", {}, [first]);
	await removals.bringBack(removal, added.document.id, samples.makeJob(revised), later);
	await chunks("it was brought back", {}, renewed);
	await documents.remove(kept.document.id, later);
	await chunks("the first was removed", {}, renewed.slice(1));
}

async function memoriesFollow(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["canary"], home));
	await saveMemory(ground, { text: "canary elsewhere", containerTag: "elsewhere", metadata: { category: "tales" } });
	const memories = async (what: string, wanted: readonly string[], under: readonly Scope[] = [inTeam, ofNews]) => {
		for (const scope of under) {
			const memoryFilter = { ...everything, scope };
			demandEqual((await memoriesByWords(tenant, "canary", memoryFilter)).toSorted(), wanted.toSorted(), `what is found by words after ${what}`);
			demandEqual(await memoriesByVector(ground, memoryFilter), wanted.toSorted(), `what is found by vector after ${what}`);
		}
	};
	const own = await saveMemory(ground, { text: "canary of its own", containerTag: "team", metadata: { category: "news" } });
	await memories("the first memory", [own.id]);
	const extracted = await saveExtracted(ground, chunk, { text: "canary drawn", containerTag: "team", metadata: {}, evidence: [evidenceIn(chunk)] });
	await memories("another was drawn from a document", [own.id, extracted.id]);
	await tenant.documents.change(chunk.document, { metadata: away.metadata }, later, null);
	await memories("its document changed", [own.id], [ofNews]);
	await tenant.memories.forget([own.id], "asked", samples.nextTime());
	await memories("one was forgotten", [extracted.id], [inTeam]);
	await tenant.memories.restore([own.id], samples.nextTime());
	await memories("it was restored", [own.id, extracted.id], [inTeam]);
}
