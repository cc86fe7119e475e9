/** What an account store promises: a key is known by its hash, once, and belongs to one organisation. */

import type { OrganisationId } from "cairn-memory";
import type { KeyId, Organisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { sampleOrganisation } from "../samples.ts";
import { type Ground, idsOf, later, type OpenStorage, otherOrganisation, sortedIdsOf, storageTest } from "./ground.ts";

export function accountStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `accounts: ${name}`, holds);
	return [
		contractTest("organisations come back as they were", organisationsComeBack),
		contractTest("a key is found by its hash and by nothing else", keyFound),
		contractTest("adding a known key changes nothing", addTwice),
		contractTest("what a key may do comes back, and is changed by its own organisation only", keyChanged),
		contractTest("a key is removed by its own organisation only", removeOwn),
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
