/** What an account store promises: a key is known by its hash, once, and belongs to one organisation. */

import { asId, type OrganisationId } from "cairn-memory";
import {
	attachmentsPrefix,
	type Content,
	type Document,
	documentStatuses,
	type KeyId,
	noQuotas,
	type Organisation,
	type TenantStore,
	wholeOrganisation,
} from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { sampleOrganisation, sampleSpace } from "../samples.ts";
import { type Ground, idsOf, later, newest, type OpenStorage, otherOrganisation, sortedIdsOf, storageTest } from "./ground.ts";

export function accountStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `accounts: ${name}`, holds);
	return [
		contractTest("organisations come back as they were", organisationsComeBack),
		contractTest("a key is found by its hash and by nothing else", keyFound),
		contractTest("adding a known key changes nothing", addTwice),
		contractTest("what a key may do comes back, and is changed by its own organisation only", keyChanged),
		contractTest("a key is removed by its own organisation only", removeOwn),
		contractTest("quotas and what is stored come back with the organisation", quotasComeBack),
		contractTest("a document beyond a quota is refused, however many are added at once", quotasHold),
		contractTest("an organisation that is removed loses its keys at once and all of its data, and the other one keeps everything", removeOrganisation),
	];
}

/** Keys may be held to an organisation that exists. */
async function addOrganisations({ storage }: Ground): Promise<readonly Organisation[]> {
	const organisations = [organisation(sampleOrganisation, "Harbour Ä", "harbour"), organisation(otherOrganisation, "Lighthouse", "lighthouse")];
	for (const each of organisations) await storage.accounts.addOrganisation(each);
	return organisations;
}

function organisation(id: OrganisationId, name: string, slug: string): Organisation {
	return { id, name, slug, createdAt: later };
}

async function organisationsComeBack(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	demandEqual(await accounts.organisations(), [], "the organisations of an empty storage");
	const added = await addOrganisations(ground);
	demandEqual((await accounts.organisations()).toSorted(byId), added.toSorted(byId), "the organisations");
}

function byId(a: Organisation, b: Organisation): number {
	return a.id < b.id ? -1 : 1;
}

async function keyFound(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	await addOrganisations(ground);
	const [mine, second] = [ground.samples.makeKey(), ground.samples.makeKey({ name: "Büro" })];
	const foreign = ground.samples.makeKey({ organisation: otherOrganisation });
	for (const key of [mine, second, foreign]) await accounts.addKey(key);
	for (const key of [mine, second, foreign]) demandEqual(await accounts.keyByHash(key.hash), key, "a key by its hash");
	demandEqual(await accounts.keyByHash(mine.id), null, "a key by its id");
	demandEqual(await accounts.keyByHash(""), null, "a key by nothing");
	demandEqual(await accounts.keyByHash(mine.hash.toUpperCase()), null, "a key by its hash in capitals");
	demandEqual(sortedIdsOf(await accounts.keys(sampleOrganisation)), sortedIdsOf([mine, second]), "the keys of an organisation");
	demandEqual(idsOf(await accounts.keys(otherOrganisation)), [foreign.id], "the keys of another organisation");
}

async function addTwice(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	await addOrganisations(ground);
	const key = ground.samples.makeKey();
	await accounts.addKey(key);
	await accounts.addKey(key);
	await accounts.addKey({ ...ground.samples.makeKey({ hash: key.hash }), name: "stolen", organisation: otherOrganisation });
	demandEqual(await accounts.keyByHash(key.hash), key, "a key that was added again");
	demandEqual(await accounts.keys(sampleOrganisation), [key], "the keys of the organisation");
	demandEqual(await accounts.keys(otherOrganisation), [], "the keys of the other organisation");
}

async function keyChanged(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	await addOrganisations(ground);
	const key = ground.samples.makeKey({
		role: "write",
		grants: [
			{ containerTag: "häfen", permission: "write" },
			{ containerTag: "boats", permission: "read" },
		],
		endpoints: ["/v3/search"],
		rateLimit: { requestsMax: 5, windowMs: 1_000 },
		expiresAt: later,
	});
	await accounts.addKey(key);
	demandEqual(await accounts.keyByHash(key.hash), key, "a key with bounds");
	demandEqual(await accounts.changeKey(otherOrganisation, key.id, { isEnabled: false }), null, "what a change by another organisation answers");
	demandEqual(await accounts.changeKey(sampleOrganisation, ground.samples.newId<KeyId>(), { isEnabled: false }), null, "what a change of nothing answers");
	demandEqual(await accounts.keyByHash(key.hash), key, "a key that nobody changed");
	const changed = { ...key, isEnabled: false, expiresAt: null, name: "Büro" };
	demandEqual(await accounts.changeKey(sampleOrganisation, key.id, { isEnabled: false, expiresAt: null, name: "Büro" }), changed, "what a change answers");
	demandEqual(await accounts.keyByHash(key.hash), changed, "a changed key");
	demandEqual(await accounts.changeKey(sampleOrganisation, key.id, {}), changed, "what an empty change answers");
}

async function removeOwn(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	await addOrganisations(ground);
	const key = ground.samples.makeKey();
	await accounts.addKey(key);
	demand(!(await accounts.removeKey(otherOrganisation, key.id)), "a key was removed by another organisation");
	demand(!(await accounts.removeKey(sampleOrganisation, ground.samples.newId<KeyId>())), "a key that does not exist was removed");
	demandEqual(await accounts.keyByHash(key.hash), key, "a key that nobody removed");
	demand(await accounts.removeKey(sampleOrganisation, key.id), "a key could not be removed");
	demandEqual(await accounts.keyByHash(key.hash), null, "a removed key");
	demand(!(await accounts.removeKey(sampleOrganisation, key.id)), "a key was removed twice");
}

async function quotasComeBack(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	await addOrganisations(ground);
	const before = await accounts.organisationAccount(sampleOrganisation);
	demandEqual([before?.quotas, before?.stored, before?.removedAt], [noQuotas, { documents: 0, bytes: 0 }, null], "an organisation without quotas");
	const quotas = { ...noQuotas, documents: 7, requestsPerMinute: 60 };
	demand(await accounts.setQuotas(sampleOrganisation, quotas), "quotas could not be set");
	const text = ground.samples.makeDocument({ content: textOf("fünf") });
	const file = ground.samples.makeDocument({
		content: { kind: "file", blob: "b", fileName: null, claimedMediaType: null, byteLength: 100, sha256: "ab".repeat(32) },
	});
	for (const document of [text, file]) await ground.tenant.documents.add(document, ground.samples.makeJob(document));
	const stored = async () => (await accounts.organisationAccount(sampleOrganisation))?.stored;
	demandEqual(await stored(), { documents: 2, bytes: 105 }, "what is stored after two additions");
	await ground.tenant.documents.change(text.id, { content: textOf("sechzehn") }, later, ground.samples.makeJob(text));
	demandEqual(await stored(), { documents: 2, bytes: 108 }, "what is stored after a change");
	await ground.tenant.documents.remove(file.id, later);
	demandEqual(await stored(), { documents: 1, bytes: 8 }, "what is stored after a removal");
	await ground.tenant.documents.change(text.id, { metadata: { a: "b" } }, later, null);
	const listed = await accounts.organisationAccounts();
	demandEqual(
		listed.map(({ id, quotas: held, stored: count }) => [id, held, count]).toSorted(),
		[
			[sampleOrganisation, quotas, { documents: 1, bytes: 8 }],
			[otherOrganisation, noQuotas, { documents: 0, bytes: 0 }],
		].toSorted(),
		"the organisations with their quotas",
	);
}

async function quotasHold(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	const { documents } = ground.tenant;
	await addOrganisations(ground);
	await accounts.setQuotas(sampleOrganisation, { ...noQuotas, documents: 3, bytes: 20 });
	const added = Array.from({ length: 12 }, () => ground.samples.makeDocument({ content: textOf("1234") }));
	const outcomes = await Promise.all(added.map((document) => codeOf(documents.add(document, ground.samples.makeJob(document)))));
	demandEqual(outcomes.filter((code) => code === null).length, 3, "how many of twelve documents a quota of three lets in");
	demand(
		outcomes.every((code) => code === null || code === "QUOTA_DOCUMENTS"),
		`a document beyond the quota was answered with ${outcomes}`,
	);
	demandEqual((await ground.storage.jobs.depth()).waiting, 3, "jobs of what was let in");
	const kept = added[outcomes.indexOf(null)];
	demand(kept !== undefined, "nothing was let in");
	const replace = (text: string) => codeOf(documents.change(kept.id, { content: textOf(text) }, later, ground.samples.makeJob(kept)));
	demandEqual(await replace("1234567890123"), "QUOTA_BYTES", "a change that needs too many bytes");
	demandEqual(await replace("123456789012"), null, "a change that just fits");
	const attachment = ground.samples.makeDocument({ customId: `${attachmentsPrefix(kept)}a.txt`, content: textOf("inside") });
	demandEqual(await codeOf(documents.add(attachment, ground.samples.makeJob(attachment))), null, "an attachment of what was let in");
	const foreign = ground.samples.makeDocument({ organisation: otherOrganisation });
	demandEqual(await codeOf(ground.others.documents.add(foreign, ground.samples.makeJob(foreign))), null, "a document of an organisation without quotas");
}

function textOf(text: string): Content {
	return { kind: "text", text, mediaType: "text/plain" };
}

/** The code of the error; null if there was none. */
async function codeOf(doing: Promise<unknown>): Promise<string | null> {
	return doing.then(
		() => null,
		(thrown: { readonly code?: string }) => thrown.code ?? String(thrown),
	);
}

async function removeOrganisation(ground: Ground): Promise<void> {
	const { accounts } = ground.storage;
	await addOrganisations(ground);
	const key = ground.samples.makeKey();
	const foreignKey = ground.samples.makeKey({ organisation: otherOrganisation });
	for (const each of [key, foreignKey]) await accounts.addKey(each);
	await addFinished(ground, ground.tenant);
	const kept = await addFinished(ground, ground.others, otherOrganisation);
	await ground.tenant.records.put("settings", "all", { canary: true }, { expected: null, expiresAt: null, now: later });
	demand(!(await accounts.removeOrganisation(asId<OrganisationId>("organisationCCCCCCCCCC"), later)), "an organisation that does not exist was removed");
	demand(await accounts.removeOrganisation(sampleOrganisation, later), "an organisation could not be removed");
	demandEqual(await accounts.keyByHash(key.hash), null, "a key of a removed organisation");
	await accounts.addKey(key);
	demandEqual(await accounts.keyByHash(key.hash), null, "a key that was added to a removed organisation");
	demandEqual(idsOf(await accounts.organisations()), [otherOrganisation], "the organisations in use");
	demand(!(await accounts.endRemoval(sampleOrganisation)), "a removal ended before the data was erased");
	await ground.storage.maintain(new AbortController().signal);
	demandEqual((await ground.tenant.documents.list(wholeOrganisation, documentStatuses, newest(), true)).total, 0, "documents of a removed organisation");
	demandEqual(await ground.tenant.records.get("settings", "all", later), null, "a record of a removed organisation");
	demandEqual(await ground.tenant.events.after(0, null, 10), [], "events of a removed organisation");
	// Maintenance may have ended it.
	await accounts.endRemoval(sampleOrganisation);
	demand(!(await accounts.endRemoval(otherOrganisation)), "an organisation in use was ended");
	demandEqual(idsOf(await accounts.organisationAccounts()), [otherOrganisation], "all organisations");
	demandEqual(idsOf((await ground.others.documents.list(wholeOrganisation, documentStatuses, newest(), true)).documents), [kept.id], "documents of the other");
	demandEqual(await accounts.keyByHash(foreignKey.hash), foreignKey, "a key of the other");
}

/** A document with a published chunk, and its job done. */
async function addFinished({ samples, storage }: Ground, { documents }: TenantStore, organisation = sampleOrganisation): Promise<Document> {
	const document = samples.makeDocument({ organisation });
	await documents.add(document, samples.makeJob(document));
	const chunk = samples.makeChunk(document);
	await documents.stage(document.id, 1, sampleSpace, [{ chunk, vector: samples.makeVector() }]);
	await documents.publish(document.id, 1, later);
	demandEqual((await storage.jobs.depth()).waiting > 0, true, "whether a job waits");
	return document;
}
