/** What a document store promises about changes: by a client as a whole, by the pipeline for its own revision only. */

import { asId, type Chunk, type Memory } from "cairn-memory";
import { type Document, type DocumentId, type Failure, type Scope, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, evidenceIn, sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	chunksByWords,
	firstChunk,
	type Ground,
	idsOf,
	later,
	memoriesIn,
	type OpenStorage,
	plenty,
	publishTexts,
	reread,
	saveExtracted,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";

const unknown = asId<DocumentId>("nobodyknowsthisid11111");

const failure: Failure = { code: "STAGE_TIMEOUT", message: "too slow", stage: "extracting", hint: null, retryAt: later };

export function documentChangeContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `changes: ${name}`, holds);
	return [
		contractTest("new content starts a document over", changeContent),
		contractTest("new content leaves the published text searchable until the new one is", changeKeepsPublished),
		contractTest("a change of one revision changes no other", changeOfRevision),
		contractTest("a change without content leaves status and revision", changeBeside),
		contractTest("a change can name, rename and unname, but takes no name from another", changeCustomId),
		contractTest("new tags move the memories along", changeTags),
		contractTest("what a document leaves in one of its containers goes, and crosses into no other", leaveOne),
		contractTest("a document that leaves all of its containers has its memories drawn anew, unless they are merged", leaveAll),
		contractTest("a merge puts its target in the place of its source, and takes nothing from a document that has left", mergeTags),
		contractTest("new tags and metadata hold for searches at once", changeHoldsAtOnce),
		contractTest("a stale revision cannot be described, failed, reported on or dreamed", staleRefused),
		contractTest("findings add up", describeAddsUp),
		contractTest("a title that was given while a document is read stays", givenTitleStays),
		contractTest("a failure is kept with its status", failKept),
		contractTest("progress shows and ends", progressShows),
		contractTest("dreaming documents are those that are published, oldest first", dreamingListed),
		contractTest("documents whose memories are of other extractors are found, the oldest first", extractedByOthersListed),
	];
}

async function changeContent(ground: Ground): Promise<void> {
	const { tenant, samples, storage } = ground;
	const document = await addDocument(ground, { status: "failed", dreamingStatus: "done", failure, metadata: { colour: "red" } });
	const [first] = await storage.jobs.claim("worker", ["ingest"], 1, later, 1_000);
	demand(first !== undefined, "a new document has no job");
	await storage.jobs.finish(first);
	const content = { kind: "text", text: "the harbour is closed", mediaType: "text/plain" } as const;
	const changed = await tenant.documents.change(document.id, { content }, later, samples.makeJob(document));
	const wanted = { ...document, content, revision: 2, status: "queued", dreamingStatus: "dreaming", failure: null, updatedAt: later };
	demandEqual(changed, wanted, "what a change with content answers");
	demandEqual(await reread(ground, document), wanted, "a document with new content");
	demandEqual((await storage.jobs.depth()).waiting, 1, "jobs after new content");
	demandEqual(await tenant.documents.change(unknown, { content }, later, null), null, "a change to a document that does not exist");
}

async function changeKeepsPublished(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const { document, chunks } = await addPublished(ground, ["the lighthouse keeper"]);
	const content = { kind: "text", text: "the ferry captain", mediaType: "text/plain" } as const;
	const changed = await tenant.documents.change(document.id, { content }, samples.nextTime(), samples.makeJob(document));
	demand(changed !== null && changed !== "taken", "a document could not be given new content");
	demandEqual(changed.publishedRevision, 1, "the published revision after new content");
	demandEqual(await chunksByWords(tenant, "lighthouse"), idsOf(chunks), "the old text before the new one is published");
	await publishTexts(ground, changed, ["the ferry captain"]);
	demandEqual(await chunksByWords(tenant, "lighthouse"), [], "the old text after the new one is published");
	demandEqual((await chunksByWords(tenant, "ferry")).length, 1, "the new text");
}

async function changeOfRevision(ground: Ground): Promise<void> {
	const { tenant, samples, storage } = ground;
	const document = await addDocument(ground, { revision: 2 });
	const change = (text: string, revision: number) => {
		const content = { kind: "text", text, mediaType: "text/plain" } as const;
		return tenant.documents.change(document.id, { content, metadata: { text } }, later, samples.makeJob(document), revision);
	};
	const waiting = await storage.jobs.depth();
	for (const revision of [1, 3]) demandEqual(await change("of another", revision), null, "a change of another revision");
	demandEqual([await reread(ground, document), await storage.jobs.depth()], [document, waiting], "the document and the jobs after it");
	const changed = await change("of this", 2);
	demand(changed !== "taken" && changed?.revision === 3, "a change of the current revision was refused");
}

async function changeBeside(ground: Ground): Promise<void> {
	const { tenant, storage } = ground;
	const document = await addDocument(ground, { status: "done", dreamingStatus: "done", metadata: { old: 1 }, filepath: "/a" });
	const before = await storage.jobs.depth();
	const neighbourFilter = { kind: "equals", key: "team", value: "häfen", ignoreCase: false, negate: false } as const;
	const change = { metadata: { fresh: true }, filepath: null, taskType: "superrag", dreaming: "instant", neighbourFilter, writtenBy: "k" } as const;
	const wanted = { ...document, ...change, findings: { ...document.findings, title: "Harbours" }, updatedAt: later };
	demandEqual(await tenant.documents.change(document.id, { ...change, title: "Harbours" }, later, null), wanted, "what a change answers");
	demandEqual(await reread(ground, document), wanted, "a changed document");
	demandEqual(await storage.jobs.depth(), before, "jobs after a change without content");
}

async function changeCustomId(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const first = await addDocument(ground, { customId: "one" });
	const second = await addDocument(ground, { customId: "two" });
	demandEqual(await documents.change(second.id, { customId: "one", metadata: { x: 1 } }, later, null), "taken", "a change to a taken customId");
	demandEqual(await reread(ground, second), second, "the document after that change");
	const kept = await documents.change(first.id, { customId: "one" }, later, null);
	demand(kept !== "taken", "a document's own customId is taken");
	await documents.change(first.id, { customId: "three" }, later, null);
	demandEqual(idsOf(await documents.byCustomId("three", [], 2)), [first.id], "the document of a new customId");
	demandEqual((await documents.byCustomId("one", [], 1))[0] ?? null, null, "the document of a customId that was given up");
	await documents.change(first.id, { customId: null }, later, null);
	demandEqual((await documents.byCustomId("three", [], 1))[0] ?? null, null, "the document of a customId that was taken off");
}

async function changeTags(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const { document, chunks } = await addPublished(ground, ["Ada lives in Lisbon"]);
	const [chunk] = chunks;
	demand(chunk !== undefined, "there is no chunk");
	const memory = await saveExtracted(ground, chunk, { text: "Ada lives in Lisbon" });
	const stranger = await saveExtracted(ground, (await addPublished(ground, ["Ada is tall"])).chunks[0] ?? chunk, { text: "Ada is tall" });
	await tenant.documents.change(document.id, { containerTags: ["archive"] }, later, null);
	const inTag = async (tag: string) => idsOf(await memoriesIn(tenant, { ...wholeOrganisation, containerTags: [tag] }, true, plenty));
	demandEqual(await inTag("archive"), [memory.id], "the memories of the new container");
	demandEqual(await inTag("team"), [stranger.id], "the memories of the old container");
}

const everywhere = { ...wholeOrganisation };

/** What is known of a document in each container: what was drawn from it, a correction that a client made of it, and something forgotten. */
async function rememberIn(ground: Ground, chunk: Chunk, containerTags: readonly string[]): Promise<ReadonlyMap<string, readonly Memory[]>> {
	const { tenant, samples } = ground;
	const known = new Map<string, readonly Memory[]>();
	for (const containerTag of containerTags) {
		const [drawn, forgotten] = [await saveExtracted(ground, chunk, { containerTag }), await saveExtracted(ground, chunk, { containerTag })];
		const links = { containerTag, evidence: drawn.evidence, extractor: null, version: 2, parent: drawn.id, root: drawn.id };
		const corrected = samples.makeMemory({ ...links, text: `the PIN of ${containerTag} is 4711` });
		await tenant.memories.save(sampleSpace, [{ memory: corrected, vector: samples.makeVector() }], [edgeBetween(corrected, "updates", drawn)]);
		await tenant.memories.forget([forgotten.id], "asked to", later);
		known.set(containerTag, [drawn, corrected, forgotten]);
	}
	return known;
}

async function leaveOne(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const chunk = await firstChunk(addPublished(ground, ["Ada lives in Lisbon"], { containerTags: ["alice", "team"] }));
	const other = await firstChunk(addPublished(ground, ["Ada lives in Lisbon"], { containerTags: ["alice"] }));
	const known = await rememberIn(ground, chunk, ["alice", "team"]);
	const supported = await saveExtracted(ground, chunk, { containerTag: "alice", evidence: [evidenceIn(chunk), evidenceIn(other)] });
	await tenant.documents.change(chunk.document, { containerTags: ["team"] }, later, null);
	const left = await memoriesIn(tenant, everywhere, false);
	demandEqual(sortedIdsOf(left), sortedIdsOf([...(known.get("team") ?? []), supported]), "the memories after a document has left a container");
	demandEqual(left.find(({ id }) => id === supported.id)?.evidence, [evidenceIn(other)], "the evidence of what another document of the container says");
	demandEqual(
		sortedIdsOf(await memoriesIn(tenant, { ...everywhere, containerTags: ["team"] }, false)),
		sortedIdsOf(known.get("team") ?? []),
		"the other's memories",
	);
	await tenant.documents.change(chunk.document, { containerTags: ["archive", "new"] }, later, null);
	const moved = await memoriesIn(tenant, { ...everywhere, containerTags: ["archive"] }, false);
	demandEqual(sortedIdsOf(moved), sortedIdsOf(known.get("team") ?? []), "what moves along from the only container");
}

async function leaveAll(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const shared = { containerTags: ["alice", "team"], status: "done", dreamingStatus: "done" } as const;
	const [chunk, merged] = [await firstChunk(addPublished(ground, ["Ada"], shared)), await firstChunk(addPublished(ground, ["Otto"], shared))];
	await rememberIn(ground, chunk, ["alice", "team"]);
	const known = await rememberIn(ground, merged, ["alice", "team"]);
	const changed = await tenant.documents.change(chunk.document, { containerTags: ["bob"] }, later, null);
	demandEqual(changed !== "taken" && changed?.dreamingStatus, "dreaming", "the state of a document without memories in its containers");
	await tenant.documents.change(merged.document, { mergesContainer: { from: "alice", into: "team" } }, later, null);
	const all = [...known.values()].flat();
	demandEqual(sortedIdsOf(await memoriesIn(tenant, everywhere, false)), sortedIdsOf(all), "all memories");
	demandEqual(sortedIdsOf(await memoriesIn(tenant, { ...everywhere, containerTags: ["team"] }, false)), sortedIdsOf(all), "the memories of the merged one");
}

async function mergeTags(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const merge = async (document: Pick<Document, "id">) => {
		const changed = await tenant.documents.change(document.id, { mergesContainer: { from: "alice", into: "team" } }, later, null);
		return changed === "taken" ? changed : changed?.containerTags;
	};
	for (const [before, after] of [
		[["alice"], ["team"]],
		[
			["bob", "alice"],
			["team", "bob"],
		],
		[
			["bob", "team", "alice"],
			["team", "bob"],
		],
	])
		demandEqual(await merge(await addDocument(ground, { customId: null, containerTags: before ?? [] })), after, "the containers after a merge");
	const { document, chunks } = await addPublished(ground, ["Ada"], { containerTags: ["alice"] });
	const memory = await saveExtracted(ground, chunks[0] as Chunk, { containerTag: "alice" });
	await tenant.documents.change(document.id, { containerTags: ["bob"] }, later, null);
	const left = await reread(ground, document);
	demandEqual(await merge(document), ["bob"], "the containers of a document that has left before the merge");
	demandEqual(await reread(ground, document), left, "the document that has left");
	demandEqual((await tenant.memories.get([memory.id]))[0]?.containerTag, "bob", "where its memory is");
}

async function changeHoldsAtOnce(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const { document, chunks } = await addPublished(ground, ["the lighthouse keeper"], { containerTags: ["old"], metadata: { colour: "red" }, filepath: "/old" });
	await tenant.documents.change(document.id, { containerTags: ["new"], metadata: { colour: "blue" }, filepath: "/new" }, later, null);
	const colour = (value: string) => ({ kind: "equals", key: "colour", value, negate: false, ignoreCase: false }) as const;
	const find = (scope: Partial<Scope>) => chunksByWords(tenant, "lighthouse", { ...wholeOrganisation, ...scope });
	demandEqual(await find({ containerTags: ["new"], filter: colour("blue"), filepath: "/new" }), idsOf(chunks), "a chunk by its document's new attributes");
	for (const scope of [{ containerTags: ["old"] }, { filter: colour("red") }, { filepath: "/old" }])
		demandEqual(await find(scope), [], "a chunk by an old attribute");
}

async function staleRefused(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const document = await addDocument(ground, { revision: 2 });
	for (const [id, revision] of [[document.id, 1] as const, [document.id, 3] as const, [unknown, 1] as const]) {
		demand(!(await documents.describe(id, revision, { title: "stale" })), "a stale revision was described");
		demand(!(await documents.fail(id, revision, failure, "failed", later)), "a stale revision was failed");
		demand(!(await documents.setDreaming(id, revision, "done", later)), "a stale revision was dreamed");
		await documents.progress(id, revision, { done: 1, total: 2, unit: "page" });
	}
	demandEqual(await reread(ground, document), document, "the document after stale writes");
}

async function givenTitleStays(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const document = await addDocument(ground, { metadata: { colour: "red" } });
	await documents.change(document.id, { metadata: { colour: "red", title: "Given" }, title: "Given" }, later, null);
	demand(await documents.describe(document.id, 1, { title: "Derived", summary: "S" }), "findings were refused");
	const { title, summary } = (await reread(ground, document)).findings;
	demandEqual([title, summary], ["Given", "S"], "findings after a title was given");
	await documents.change(document.id, { metadata: { colour: "red" } }, later, null);
	await documents.describe(document.id, 1, { title: "Derived" });
	demandEqual((await reread(ground, document)).findings.title, "Derived", "the title after the given one was taken back");
}

async function describeAddsUp(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const document = await addDocument(ground);
	demand(await documents.describe(document.id, 1, { title: "T", type: "pdf", text: "# T" }), "findings were refused");
	await documents.describe(document.id, 1, { summary: "S", warnings: [{ code: "ODD", message: "odd" }], about: { author: "A", publishedAt: "2024-05-01" } });
	const wanted = {
		...{ type: "pdf", title: "T", summary: "S", language: null, text: "# T" },
		...{ warnings: [{ code: "ODD", message: "odd" }], about: { author: "A", publishedAt: "2024-05-01" } },
	};
	demandEqual((await reread(ground, document)).findings, wanted, "findings written in two calls");
	await documents.describe(document.id, 1, { title: null, text: null });
	demandEqual((await reread(ground, document)).findings, { ...wanted, title: null, text: null }, "findings that were taken back");
}

async function failKept(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const document = await addDocument(ground, { status: "extracting" });
	demand(await documents.fail(document.id, 1, failure, "queued", later), "a failure was refused");
	demandEqual(await reread(ground, document), { ...document, status: "queued", failure, updatedAt: later }, "a document to be tried again");
	const last = { ...failure, hint: "split it", retryAt: null };
	await documents.fail(document.id, 1, last, "failed", later);
	const failed = { ...document, status: "failed", failure: last, dreamingStatus: "done", updatedAt: later };
	demandEqual(await reread(ground, document), failed, "a failed document: no memories come of it any more");
}

async function progressShows(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const document = await addDocument(ground);
	await documents.progress(document.id, 1, { done: 3, total: 10, unit: "page" });
	demandEqual((await reread(ground, document)).progress, { done: 3, total: 10, unit: "page" }, "progress");
	await documents.progress(document.id, 1, null);
	demandEqual((await reread(ground, document)).progress, null, "progress that has ended");
}

async function extractedByOthersListed(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const old = await addPublished(ground, ["one"], { status: "done", dreamingStatus: "done" });
	const noted = await addPublished(ground, ["two"], { status: "done", dreamingStatus: "done" });
	await addPublished(ground, ["three"], { status: "done", dreamingStatus: "dreaming" });
	await addPublished(ground, ["four"], { status: "done", dreamingStatus: "done", taskType: "superrag" });
	demand(await documents.setDreaming(noted.document.id, 1, "done", later, "rules@1"), "an extractor was refused");
	demandEqual(idsOf(await documents.extractedByOthers("rules@1", plenty)), [old.document.id], "documents with memories of others");
	await documents.setDreaming(noted.document.id, 1, "done", later);
	demandEqual(idsOf(await documents.extractedByOthers("rules@2", plenty)), [old.document.id, noted.document.id], "documents with memories of an older version");
	demandEqual(idsOf(await documents.extractedByOthers("rules@2", 1)), [old.document.id], "the oldest document with memories of others");
}

async function dreamingListed(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const done = { status: "done" } as const;
	const first = await addPublished(ground, ["one"], { ...done, containerTags: ["team", "b"] });
	await addDocument(ground, done);
	const awake = await addPublished(ground, ["two"], done);
	await tenant.documents.setDreaming(awake.document.id, 1, "done", later);
	const changed = await addPublished(ground, ["three"], done);
	await tenant.documents.change(changed.document.id, { content: { kind: "text", text: "four", mediaType: "text/plain" } }, samples.nextTime(), null);
	const last = await addPublished(ground, ["five"], { ...done, dreaming: "instant" });
	await addPublished(ground, ["six"], { ...done, containerTags: ["b"] });
	await addPublished(ground, ["seven"], { status: "indexing" });
	await addPublished(ground, ["eight"], { ...done, taskType: "superrag" });
	demandEqual(idsOf(await tenant.documents.dreaming("team", plenty)), [first.document.id, last.document.id], "dreaming documents");
	demandEqual(idsOf(await tenant.documents.dreaming("team", 1)), [first.document.id], "the oldest dreaming document");
	demandEqual(await tenant.documents.dreaming("nobody", plenty), [], "dreaming documents of an unknown container");
}
