/** What a document store promises: documents are added once, listed in order, moved by one; and all contract tests of its changes and chunks. */

import { asId, ServiceError } from "cairn-memory";
import {
	type Document,
	type DocumentId,
	documentStatuses,
	type Failure,
	type KeyId,
	type Page,
	readableText,
	type Scope,
	wholeOrganisation,
} from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { documentChangeContract } from "./document-change-contract.ts";
import { addDocument, type Ground, idsOf, later, type OpenStorage, otherOrganisation, plenty, reread, sortedIdsOf, storageTest } from "./ground.ts";
import { publishingContract } from "./publishing-contract.ts";

const newestFirst: Page = { offset: 0, limit: plenty, sort: "createdAt", order: "desc" };

const unknown = asId<DocumentId>("nobodyknowsthisid11111");

const failure: Failure = { code: "STAGE_TIMEOUT", message: "too slow", stage: "extracting", hint: null, retryAt: later };

export function documentStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `documents: ${name}`, holds);
	return [
		contractTest("what is added comes back as it was", addedComesBack),
		contractTest("many come back by id, and what is gone is left out", manyComeBack),
		contractTest("the tags of many come back by id, and what is gone is left out", tagsComeBack),
		contractTest("a long text comes whole and in pieces, and may be left out of what is shown", longTexts),
		contractTest("a document is added together with its job", addedWithJob),
		contractTest("a customId is unique in its container, and free in another and in another organisation", customIdUnique),
		contractTest("documents with one customId are found by their containers, and by how it begins page by page", namesakes),
		contractTest("a document of an export is added as it is, and nothing is to be done for it", addedWithoutJob),
		contractTest("documents are found by how their customIds begin, page by page", foundByPrefix),
		contractTest("those that a key handed in are found by it, page by page", foundByWriter),
		contractTest("adding with a taken customId writes nothing", takenWritesNothing),
		contractTest("two adds with one customId: one wins", addRace),
		contractTest("a list is sorted, paged and counted", listPages),
		contractTest("a list keeps to the statuses asked for", listStatuses),
		contractTest("a list keeps to tags, path and document", listScopes),
		contractTest("a list with content is whole; without, all else is", listContent),
		contractTest("of two racers that move a document exactly one wins", moveRace),
		contractTest("a move from a wrong status, of a stale revision or of nothing is refused", moveRefused),
		contractTest("a move changes status and time, and nothing else", moveMoves),
		...documentChangeContract(open),
		...publishingContract(open),
	];
}

async function addedComesBack(ground: Ground): Promise<void> {
	const plain = await addDocument(ground);
	const rich = await addDocument(ground, {
		customId: "order 66 – 訂單/№",
		containerTags: ["beta", "alpha"],
		content: { kind: "file", blob: "blob1", fileName: "ä.pdf", claimedMediaType: "application/pdf", byteLength: 3, sha256: "ab".repeat(32) },
		metadata: { text: "ß", number: 0.1, whole: 5, yes: true, list: ["a", "b"], empty: [] },
		filepath: "/reports/2026/q1.pdf",
		taskType: "superrag",
		dreaming: "instant",
		dreamingStatus: "done",
		findings: {
			type: "pdf",
			title: "T",
			summary: "S",
			language: "de",
			text: "# T",
			warnings: [{ code: "ODD", message: "odd", place: { page: 2 } }],
			about: { author: "A" },
		},
		failure,
	});
	const address = await addDocument(ground, { content: { kind: "address", url: "https://example.com/a?b=c#d" } });
	for (const document of [plain, rich, address]) demandEqual(await ground.tenant.documents.get(document.id), document, "a document");
	demandEqual((await ground.tenant.documents.byCustomId("order 66 – 訂單/№", [], 1))[0] ?? null, rich, "the document of a customId");
	demandEqual((await ground.tenant.documents.byCustomId("order", [], 1))[0] ?? null, null, "the document of an unknown customId");
	demandEqual(await ground.tenant.documents.get(unknown), null, "an unknown document");
}

async function foundByPrefix({ tenant, others, samples }: Ground): Promise<void> {
	const names = ["a/2", "a/10", "a/1", "a", "a0", "a/", "A/1", "b/1", "a/%", "a/_x", null];
	for (const customId of names) await addDocument({ tenant, samples }, { customId, content: { kind: "text", text: "long", mediaType: "text/plain" } });
	await addDocument({ tenant: others, samples }, { customId: "a/3", organisation: otherOrganisation });
	const named = async (prefix: string, after: string | null, limit: number) => {
		const place = after === null ? null : { id: asId<DocumentId>("zzzzzzzzzzzzzzzzzzzzzz"), customId: after };
		return (await tenant.documents.byPrefix(prefix, place, limit)).map(({ customId }) => customId);
	};
	demandEqual(await named("a/", null, plenty), ["a/", "a/%", "a/1", "a/10", "a/2", "a/_x"], "those that begin with a/");
	demandEqual(await named("a/", null, 2), ["a/", "a/%"], "a page of two");
	demandEqual(await named("a/", "a/1", 2), ["a/10", "a/2"], "the page after it");
	demandEqual(await named("a/", "a/gone", plenty), [], "what comes after all");
	demandEqual(await named("a/_", null, plenty), ["a/_x"], "signs that SQL takes for others");
	demandEqual(await named("c", null, plenty), [], "what nobody is called");
}

async function foundByWriter({ tenant, others, samples }: Ground): Promise<void> {
	const [mine, theirs] = [samples.newId<KeyId>(), samples.newId<KeyId>()];
	const written = [];
	for (const writtenBy of [mine, theirs, mine, null, mine]) written.push(await addDocument({ tenant, samples }, { writtenBy }));
	await addDocument({ tenant: others, samples }, { writtenBy: mine, organisation: otherOrganisation });
	const ids = sortedIdsOf(written.filter(({ writtenBy }) => writtenBy === mine));
	const by = async (after: string | null, limit: number) => idsOf(await tenant.documents.byWriter(mine, after as DocumentId | null, limit));
	demandEqual(await by(null, plenty), ids, "those that one key has handed in");
	demandEqual(await by(null, 2), ids.slice(0, 2), "a page of two");
	demandEqual(await by(ids[1] ?? "", 2), ids.slice(2), "the page after it");
}

async function manyComeBack(ground: Ground): Promise<void> {
	const [first, second] = [await addDocument(ground), await addDocument(ground)];
	const many = await ground.tenant.documents.getMany([second.id, unknown, first.id]);
	demandEqual(sortedIdsOf(many), sortedIdsOf([first, second]), "the documents of three ids, one unknown");
	demandEqual(await ground.tenant.documents.getMany([]), [], "the documents of no ids");
}

async function tagsComeBack(ground: Ground): Promise<void> {
	const { tenant, others } = ground;
	const first = await addDocument(ground, { containerTags: ["beta", "häfen"] });
	const second = await addDocument(ground, { containerTags: ["beta"] });
	const tags = await tenant.documents.tagsOf([second.id, unknown, first.id, first.id]);
	demandEqual([...tags.keys()].toSorted(), sortedIdsOf([first, second]), "the documents of three ids, one unknown");
	demandEqual([tags.get(first.id), tags.get(second.id)], [first.containerTags, second.containerTags], "the tags of two documents");
	demandEqual((await tenant.documents.tagsOf([])).size, 0, "how many documents no ids have");
	demandEqual((await others.documents.tagsOf([first.id])).size, 0, "how many documents of another organisation are told of");
	const both = await tenant.documents.within([second.id, unknown, first.id, first.id], ["häfen", "beta", "elsewhere"]);
	demandEqual([...both].toSorted(), sortedIdsOf([first, second]), "the documents that are in one of three containers");
	demandEqual([...(await tenant.documents.within([second.id, first.id], ["häfen"]))], [first.id], "the documents of a container");
	const nowhere = Array.from({ length: 2_000 }, (_, i) => `nowhere-${i}`);
	demandEqual([...(await tenant.documents.within([second.id, first.id], ["häfen", ...nowhere]))], [first.id], "the documents of thousands of containers");
	demandEqual((await tenant.documents.within([second.id, first.id], [])).size, 0, "how many documents are in no container");
	demandEqual((await others.documents.within([first.id], ["beta"])).size, 0, "how many documents of another organisation are in a container");
}

/** Over several pieces, with signs of every length across their ends. */
const longText = 'Order 66 – 訂單 "😀"\n'.repeat(120_000);

async function longTexts(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const handedIn = await addDocument(ground, { customId: "long", content: { kind: "text", text: longText, mediaType: "text/plain" } });
	const found = await addDocument(ground, { content: { kind: "address", url: "https://example.com/" } });
	await documents.describe(found.id, 1, { text: longText });
	const short = await addDocument(ground, { content: { kind: "text", text: "short", mediaType: "text/plain" } });
	const nothing = await addDocument(ground, { content: { kind: "address", url: "https://example.com/2" } });
	demandEqual(await joined(documents.text(short.id, 1)), "short", "a short text in pieces");
	demandEqual(await joined(documents.text(nothing.id, 1)), "", "what is not read yet, in pieces");
	for (const id of [handedIn.id, found.id]) {
		const whole = await documents.get(id);
		demand(whole !== null && whole.isTextLeftOut === undefined && readableText(whole) === longText, "a long text did not come back whole");
		demand((await joined(documents.text(id, 1))) === longText, "the pieces of a long text are not the text");
		await demandSuperseded(documents.text(id, 2), "the text of a revision that there is not");
		for (const [shown] of [
			await documents.getMany([id]),
			(await documents.list({ ...wholeOrganisation, document: id }, documentStatuses, newestFirst, true)).documents,
		])
			demand(shown?.isTextLeftOut === true || (shown !== undefined && readableText(shown) === longText), "a long text was left out without a word");
	}
	const [light] = await documents.getMany([handedIn.id], false);
	demandEqual({ ...light, content: handedIn.content, isTextLeftOut: undefined }, { ...handedIn, isTextLeftOut: undefined }, "a document without its text");
	await demandSuperseded(documents.text(unknown, 1), "the text of an unknown document");
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
	let text = "";
	for await (const piece of pieces) text += piece;
	return text;
}

async function demandSuperseded(pieces: AsyncIterable<string>, what: string): Promise<void> {
	const code = await joined(pieces).then(
		() => "none",
		(thrown: unknown) => (thrown instanceof ServiceError ? thrown.code : String(thrown)),
	);
	demandEqual(code, "DOCUMENT_SUPERSEDED", what);
}

async function addedWithJob(ground: Ground): Promise<void> {
	const document = await addDocument(ground);
	const [job] = await ground.storage.jobs.claim("worker", ["ingest"], 1, later, 1_000);
	demand(job?.subject === document.id && job.organisation === document.organisation, "the job of a new document cannot be claimed");
}

async function addedWithoutJob({ tenant, samples, storage }: Ground): Promise<void> {
	const document = samples.makeDocument({ status: "indexing", revision: 7, extractedBy: "rules@1", dreamingStatus: "done", containerTags: ["far"] });
	demand(await tenant.documents.add(document, null), "a document without a job was not added");
	demandEqual(await tenant.documents.get(document.id), document, "a document of an export");
	demandEqual(await storage.jobs.depth(), { waiting: 0, leased: 0 }, "jobs after a document without one");
}

async function customIdUnique(ground: Ground): Promise<void> {
	const { samples, tenant, others } = ground;
	await addDocument(ground, { customId: "same", containerTags: ["alpha", "beta"] });
	const second = samples.makeDocument({ customId: "same", containerTags: ["beta", "gamma"] });
	demand(!(await tenant.documents.add(second, samples.makeJob(second))), "a second document of a container took its customId");
	const elsewhere = await addDocument(ground, { customId: "same", containerTags: ["gamma"] });
	demandEqual(
		await tenant.documents.change(elsewhere.id, { containerTags: ["gamma", "alpha"] }, later, null),
		"taken",
		"a change of the containers to one that knows the customId",
	);
	demandEqual((await tenant.documents.get(elsewhere.id))?.containerTags, ["gamma"], "the containers after it");
	const foreign = await addDocument({ tenant: others, samples }, { customId: "same", organisation: foreignOrganisation });
	demandEqual((await others.documents.byCustomId("same", [], 1))[0] ?? null, foreign, "the document of the other organisation");
	await addDocument(ground, { customId: null });
	await addDocument(ground, { customId: null });
}

async function namesakes(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const both = await addDocument(ground, { customId: "same", containerTags: ["alpha", "beta"] });
	const single = await addDocument(ground, { customId: "same", containerTags: ["gamma"] });
	await addDocument(ground, { customId: "other", containerTags: ["alpha"] });
	const all = sortedIdsOf([both, single]);
	const named = async (tags: readonly string[], limit = plenty) => idsOf(await tenant.documents.byCustomId("same", tags, limit));
	demandEqual([await named([]), await named([], 1)], [all, all.slice(0, 1)], "those with the customId in any container, and the first of them");
	demandEqual(
		[await named(["alpha"]), await named(["beta", "alpha"]), await named(["gamma"])],
		[[both.id], [both.id], [single.id]],
		"those of some containers",
	);
	demandEqual([await named(["alpha", "gamma"]), await named(["delta"])], [all, []], "those of containers with one each, and with none");
	const [first] = await tenant.documents.byPrefix("sa", null, 1);
	const [second] = await tenant.documents.byPrefix("sa", first ?? null, 1);
	demandEqual(idsOf([first, second].flatMap((found) => found ?? [])), all, "pages of those that begin like it");
	await tenant.documents.change(both.id, { containerTags: ["delta"] }, later, null);
	demandEqual([await named(["alpha"]), await named(["delta"])], [[], [both.id]], "those of the containers after a move");
	await tenant.documents.change(both.id, { customId: "renamed" }, later, null);
	demandEqual([await named(["delta"]), await named([])], [[], [single.id]], "those after another was renamed");
	await tenant.documents.remove(single.id, later);
	demandEqual(await named([]), [], "those after both are gone");
}

const foreignOrganisation = asId<Document["organisation"]>("organisationBBBBBBBBBB");

async function takenWritesNothing(ground: Ground): Promise<void> {
	const { samples, tenant, storage } = ground;
	const first = await addDocument(ground, { customId: "same" });
	const second = samples.makeDocument({ customId: "same", containerTags: [...first.containerTags, "other"] });
	await tenant.documents.add(second, samples.makeJob(second));
	demandEqual(await tenant.documents.get(second.id), null, "a refused document");
	demandEqual((await tenant.documents.byCustomId("same", [], 1))[0] ?? null, first, "the first document");
	demandEqual(await storage.jobs.depth(), { waiting: 1, leased: 0 }, "jobs after a refused document");
	demandEqual((await tenant.documents.list(wholeOrganisation, documentStatuses, newestFirst, true)).total, 1, "documents after a refused one");
}

async function addRace({ samples, tenant, storage }: Ground): Promise<void> {
	const documents = [1, 2, 3].map(() => samples.makeDocument({ customId: "same" }));
	const won = await Promise.all(documents.map((document) => tenant.documents.add(document, samples.makeJob(document))));
	demandEqual(won.filter(Boolean).length, 1, "winners of a race for one customId");
	demandEqual((await storage.jobs.depth()).waiting, 1, "jobs after that race");
}

async function listPages(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const documents: Document[] = [];
	for (let i = 0; i < 7; i++) documents.push(await addDocument(ground));
	const [, , touched] = documents;
	demand(touched !== undefined, "there is no third document");
	await tenant.documents.move(touched.id, 1, ["queued"], "extracting", samples.nextTime());
	const list = async (page: Partial<Page>) => tenant.documents.list(wholeOrganisation, documentStatuses, { ...newestFirst, ...page }, false);
	const inOrder = idsOf(documents);
	demandEqual(idsOf((await list({})).documents), inOrder.toReversed(), "the newest first");
	demandEqual(idsOf((await list({ order: "asc" })).documents), inOrder, "the oldest first");
	demandEqual(idsOf((await list({ sort: "updatedAt", limit: 2 })).documents), [touched.id, inOrder.at(-1)], "the last changed first");
	const second = await list({ order: "asc", offset: 3, limit: 3 });
	demandEqual(idsOf(second.documents), inOrder.slice(3, 6), "the second page");
	demandEqual(second.total, 7, "the total of a page");
	demandEqual(await list({ offset: 7 }), { documents: [], total: 7 }, "the page after the last");
	const uncounted = await list({ limit: 2, totalMax: 2 });
	demandEqual(idsOf(uncounted.documents), inOrder.toReversed().slice(0, 2), "a page whose total is not counted to the end");
	demand(uncounted.total >= 2 && uncounted.total <= 7, `its total is ${uncounted.total}`);
	demandEqual((await list({ limit: 2, totalMax: 9 })).total, 7, "a total below what it is counted to");
}

async function listStatuses(ground: Ground): Promise<void> {
	const byStatus = new Map<string, string>();
	for (const status of documentStatuses) byStatus.set(status, (await addDocument(ground, { status })).id);
	const list = async (statuses: readonly Document["status"][]) =>
		ground.tenant.documents.list(wholeOrganisation, statuses, { ...newestFirst, order: "asc" }, false);
	for (const status of documentStatuses) demandEqual(idsOf((await list([status])).documents), [byStatus.get(status)], `the documents that are ${status}`);
	demandEqual((await list(["queued", "failed"])).total, 2, "the documents that are queued or failed");
	demandEqual(await list([]), { documents: [], total: 0 }, "the documents of no status");
}

/** One list of cases for the scopes that documents and their chunks share. */
async function listScopes(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const both = await addDocument(ground, { containerTags: ["a", "b"], filepath: "/docs/one.md" });
	const one = await addDocument(ground, { containerTags: ["b"], filepath: "/docs/sub/two.md" });
	const odd = await addDocument(ground, { containerTags: ["A", "a%"], filepath: "/docs_/three.md" });
	const bare = await addDocument(ground, { containerTags: ["c"], filepath: null });
	const list = async (scope: Partial<Scope>) =>
		sortedIdsOf((await tenant.documents.list({ ...wholeOrganisation, ...scope }, documentStatuses, newestFirst, false)).documents);
	const cases: readonly (readonly [Partial<Scope>, readonly Document[]])[] = [
		[{}, [both, one, odd, bare]],
		[{ containerTags: ["b"] }, [both, one]],
		[{ containerTags: ["a", "b"], tagsMatch: "all" }, [both]],
		[{ containerTags: ["b", "a", "b"], tagsMatch: "all" }, [both]],
		[{ containerTags: ["a", "b"], tagsMatch: "any" }, [both, one]],
		[{ containerTags: ["a", "z"], tagsMatch: "all" }, []],
		[{ containerTags: ["a%"] }, [odd]],
		[{ filepath: "/docs/one.md" }, [both]],
		[{ filepath: "/docs/" }, [both, one]],
		[{ filepath: "/docs" }, []],
		[{ filepath: "/docs_/" }, [odd]],
		[{ filepath: "/DOCS/" }, []],
		[{ filepath: "/" }, [both, one, odd]],
		[{ document: one.id }, [one]],
		[{ document: one.id, containerTags: ["a"] }, []],
		[{ document: unknown }, []],
	];
	for (const [scope, wanted] of cases) demandEqual(await list(scope), sortedIdsOf(wanted), `the documents in ${JSON.stringify(scope)}`);
}

async function listContent(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const document = await addDocument(ground, { findings: { type: "text", title: "T", summary: null, language: null, text: "long", warnings: [], about: {} } });
	const [whole] = (await tenant.documents.list(wholeOrganisation, documentStatuses, newestFirst, true)).documents;
	demandEqual(whole, document, "a document listed with content");
	const [light] = (await tenant.documents.list(wholeOrganisation, documentStatuses, newestFirst, false)).documents;
	demand(light !== undefined, "a document is missing from a list without content");
	const bare = (full: Document) => ({ ...full, content: full.content.kind, findings: { ...full.findings, text: null } });
	demandEqual(bare(light), bare(document), "a document listed without content");
}

async function moveRace(ground: Ground): Promise<void> {
	const { id } = await addDocument(ground);
	const move = () => ground.tenant.documents.move(id, 1, ["queued"], "extracting", later);
	const won = await Promise.all([move(), move(), move()]);
	demandEqual(won.filter(Boolean).length, 1, "winners of a race to move one document");
}

async function moveRefused(ground: Ground): Promise<void> {
	const { documents } = ground.tenant;
	const { id } = await addDocument(ground, { revision: 2 });
	demand(!(await documents.move(id, 1, ["queued"], "extracting", later)), "an older revision was moved");
	demand(!(await documents.move(id, 3, ["queued"], "extracting", later)), "a revision that does not exist was moved");
	demand(!(await documents.move(id, 2, ["extracting", "done"], "chunking", later)), "a document was moved from a status it did not have");
	demand(!(await documents.move(unknown, 1, ["queued"], "extracting", later)), "a document that does not exist was moved");
	demandEqual((await reread(ground, { id })).status, "queued", "the status after refused moves");
	demand(await documents.move(id, 2, ["extracting", "queued"], "extracting", later), "a document was not moved from one of several statuses");
}

async function moveMoves(ground: Ground): Promise<void> {
	const document = await addDocument(ground, { metadata: { colour: "red" } });
	await ground.tenant.documents.move(document.id, 1, ["queued"], "extracting", later);
	demandEqual(await reread(ground, document), { ...document, status: "extracting", updatedAt: later }, "a moved document");
}
