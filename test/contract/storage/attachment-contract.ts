/** What a storage promises of documents inside of documents: they are where their parent is, and go and come back with it. */

import { asId } from "cairn-memory";
import { attachmentsPrefix, type Document, type DocumentId, type RemovalId, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import {
	addDocument,
	addPublished,
	chunksByWords,
	type Ground,
	idsOf,
	later,
	newest,
	type OpenStorage,
	otherOrganisation,
	reread,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";

export function attachmentContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `members: ${name}`, holds);
	return [
		contractTest("they are put where their parent is, and nowhere when it is gone", besideParent),
		contractTest("they are counted by status at any depth, with their bytes", counted),
		contractTest("they move with their parent, and their words with them", moveAlong),
		contractTest("they are removed with their parent, and nobody else is", removedAlong),
		contractTest("they are set aside with their parent and come back after it", comeBack),
		contractTest("nothing of another organisation is a member", organisations),
	];
}

const removal = asId<RemovalId>("remova1CCCCCCCCCCCCCCC");
const until = new Date(later.getTime() + 60_000);

function fileOf(blob: string, byteLength: number): Document["content"] {
	return { kind: "file", blob, fileName: "a.txt", claimedMediaType: null, byteLength, sha256: "ab".repeat(32) };
}

function inside(parent: Document, path: string, overrides: Partial<Document> = {}): Partial<Document> {
	return { customId: attachmentsPrefix(parent) + path, containerTags: parent.containerTags, ...overrides };
}

/** An archive with a note and a mail, which has a picture attached, beside a document of its own. */
async function descendants(ground: Ground) {
	const archive = await addDocument(ground, { containerTags: ["alpha", "beta"] });
	const { document: note } = await addPublished(ground, ["the lighthouse keeper counts ships"], inside(archive, "notes/a.txt"));
	const mail = await addDocument(ground, inside(archive, "mail.eml", { content: fileOf("blob-mail", 10) }));
	const picture = await addDocument(ground, inside(mail, "picture.png", { content: fileOf("blob-picture", 32), status: "failed" }));
	const other = await addDocument(ground, { containerTags: ["alpha", "beta"], customId: `member/${archive.id}` });
	return { archive, note, mail, picture, other };
}

async function there({ tenant }: Ground): Promise<readonly string[]> {
	return sortedIdsOf((await tenant.documents.list(wholeOrganisation, ["queued", "done", "failed"], newest(), false)).documents);
}

async function besideParent(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const archive = await addDocument(ground, { containerTags: ["alpha"] });
	await tenant.documents.change(archive.id, { containerTags: ["beta"] }, later, null);
	const late = await addDocument(ground, inside(archive, "late.txt"));
	demandEqual((await reread(ground, late)).containerTags, ["beta"], "where a member is that was read before its parent moved");
	const inBeta = await tenant.documents.list({ ...wholeOrganisation, containerTags: ["beta"] }, ["queued"], newest(), false);
	demandEqual(sortedIdsOf(inBeta.documents), sortedIdsOf([archive, late]), "what lies in the new container");
	await tenant.documents.change(late.id, { containerTags: ["alpha"], metadata: { page: 2 } }, later, null);
	const again = await reread(ground, late);
	demandEqual([again.containerTags, again.metadata], [["beta"], { page: 2 }], "a member that is read again by one who knows where its parent was");
	const alone = samples.makeDocument({ customId: `member/${archive.id}/nobodyknowsthisid11111/a.txt` });
	demand(!(await tenant.documents.add(alone, samples.makeJob(alone))), "a member of nothing was added");
	demandEqual(await tenant.documents.get(alone.id), null, "a member of nothing");
}

async function counted(ground: Ground): Promise<void> {
	const { archive, mail, picture, other } = await descendants(ground);
	const { documents } = ground.tenant;
	const all = await documents.descendants(archive);
	demandEqual(
		[...all.statuses].sort(),
		[
			["failed", 1],
			["queued", 2],
		],
		"members at any depth, by status",
	);
	demandEqual(all.bytes, 42, "bytes of all files inside");
	const mails = await documents.descendants(mail);
	demandEqual([...mails.statuses], [["failed", 1]], "members of a member");
	demandEqual(mails.bytes, 32, "bytes of what is inside of a member");
	for (const without of [picture, other]) demandEqual((await documents.descendants(without)).statuses.size, 0, "members of what has none");
}

async function moveAlong(ground: Ground): Promise<void> {
	const { archive, note, mail, picture, other } = await descendants(ground);
	const { documents } = ground.tenant;
	await documents.change(archive.id, { containerTags: ["gamma"] }, later, null);
	for (const member of [archive, note, mail, picture]) demandEqual((await reread(ground, member)).containerTags, ["gamma"], "where a member is now");
	demandEqual((await reread(ground, other)).containerTags, ["alpha", "beta"], "where another document is");
	const scope = (tag: string) => ({ ...wholeOrganisation, containerTags: [tag] });
	demandEqual((await chunksByWords(ground.tenant, "lighthouse", scope("gamma"))).length, 1, "words of a member in the new container");
	demandEqual((await chunksByWords(ground.tenant, "lighthouse", scope("alpha"))).length, 0, "words of a member in the old container");
}

async function removedAlong(ground: Ground): Promise<void> {
	const { archive, note, mail, picture, other } = await descendants(ground);
	const { documents } = ground.tenant;
	const orphans = await documents.remove(archive.id, later);
	demandEqual([...(orphans ?? [])].sort(), ["blob-mail", "blob-picture"], "blobs that nothing points to");
	demandEqual(await there(ground), [other.id], "what is left");
	demandEqual((await chunksByWords(ground.tenant, "lighthouse")).length, 0, "words of what was removed");
	for (const gone of [note, mail, picture]) demandEqual(await documents.remove(gone.id, later), null, "removing what went along");
}

async function comeBack(ground: Ground): Promise<void> {
	const { archive, note, mail, picture, other } = await descendants(ground);
	const { tenant, samples } = ground;
	const before = await there(ground);
	demand(await tenant.removals.setAside(archive.id, removal, until, later), "an archive was not set aside");
	demandEqual(await there(ground), [other.id], "what is left");
	const aside = await tenant.removals.list(removal, later);
	demandEqual(sortedIdsOf(aside), sortedIdsOf([archive, note, mail, picture]), "what was set aside");
	const position = (id: DocumentId) => idsOf(aside).indexOf(id);
	demand(position(archive.id) < position(mail.id) && position(mail.id) < position(picture.id), "a member was listed before its parent");
	const early = await tenant.removals.bringBack(removal, picture.id, samples.makeJob(picture), later);
	demandEqual(early, null, "what comes back before its parent");
	for (const { id } of aside) {
		const back = await tenant.removals.bringBack(removal, id, samples.makeJob({ id, organisation: archive.organisation }), later);
		demand(back !== null && back !== "taken", "something did not come back");
	}
	demandEqual(await there(ground), before, "what is there again");
	demandEqual((await chunksByWords(tenant, "lighthouse")).length, 1, "words of what came back");
}

async function organisations(ground: Ground): Promise<void> {
	const { archive } = await descendants(ground);
	const { others, samples } = ground;
	const foreign = samples.makeDocument(inside(archive, "foreign.txt", { organisation: otherOrganisation }));
	demand(!(await others.documents.add(foreign, samples.makeJob(foreign))), "a document became a member of another organisation's");
	demandEqual((await others.documents.descendants(archive)).statuses.size, 0, "members seen from another organisation");
	demandEqual(await others.documents.remove(archive.id, later), null, "removing from another organisation");
	demandEqual((await there(ground)).length, 5, "what is there still");
}
