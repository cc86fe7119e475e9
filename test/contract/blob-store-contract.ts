/** What a blob store promises: the very bytes, whole or not at all, each organisation apart, and a list of all there is. */

import { asId, type BlobStore, type BlobStorePlugin, type OrganisationId, ServiceError } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { demandEqual } from "./demand-equal.ts";
import { createSamples, type Samples, sampleOrganisation } from "./samples.ts";

export interface OpenedBlobs {
	/** Empty. */
	readonly store: BlobStorePlugin;
	/** Opens the same blobs anew. Wanted of a store that keeps them. */
	readonly reopen?: () => Promise<BlobStorePlugin>;
	/** Removes all traces. */
	readonly dispose: () => Promise<void>;
}

interface Ground {
	readonly store: BlobStorePlugin;
	readonly blobs: BlobStore;
	readonly others: BlobStore;
	readonly samples: Samples;
	readonly reopen: OpenedBlobs["reopen"];
}

const otherOrganisation = asId<OrganisationId>("organisationBBBBBBBBBB");

/** `open` is called once for every contract test, and must give an empty store each time. */
export function blobStoreContract(open: () => Promise<OpenedBlobs>): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>): ContractTest => ({
		name: `blobs: ${name}`,
		check: async () => {
			const { store, reopen, dispose } = await open();
			try {
				const [blobs, others] = [store.organisation(sampleOrganisation), store.organisation(otherOrganisation)];
				await holds({ store, blobs, others, samples: createSamples(1), reopen });
			} finally {
				await dispose();
			}
		},
	});
	return [
		contractTest("bytes come back as they were, with their count and SHA-256", roundTrip),
		contractTest("more bytes than allowed are refused, and nothing is left", tooLarge),
		contractTest("reading stops at the limit", stopsReading),
		contractTest("a source that breaks off leaves nothing", brokenOff),
		contractTest("a failed put leaves what was there before", failedPutKeepsOld),
		contractTest("a second put replaces the first", putReplaces),
		contractTest("what is not there is null, and may be removed", missing),
		contractTest("keys that are paths or nothing are refused", oddKeys),
		contractTest("one key of two organisations names two blobs", apart),
		contractTest("all blobs are listed, and no other", lists),
		contractTest("what was put outlives the store, where it can be opened anew", outlives),
		contractTest("the mark of the owner is kept beside the blobs, and is none of them", keepsMark),
	];
}

const sha256OfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const sha256OfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
	for (const text of texts) yield new TextEncoder().encode(text);
}

async function textOf(blobs: BlobStore, key: string): Promise<string | null> {
	const bytes = await blobs.get(key);
	return bytes === null ? null : new TextDecoder().decode(bytes);
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
	return promise.then(
		() => null,
		(thrown: unknown) => thrown,
	);
}

async function demandTooLarge(promise: Promise<unknown>): Promise<void> {
	const thrown = await rejection(promise);
	demand(thrown instanceof ServiceError && thrown.code === "FILE_TOO_LARGE", `too many bytes were not refused with FILE_TOO_LARGE but with ${thrown}`);
}

async function roundTrip({ blobs, samples }: Ground): Promise<void> {
	demandEqual(await blobs.put("abc", pieces("a", "", "bc"), 3), { byteLength: 3, sha256: sha256OfAbc }, "what a put answers");
	demandEqual(await textOf(blobs, "abc"), "abc", "the bytes");
	demandEqual(await blobs.put("empty", pieces(), 0), { byteLength: 0, sha256: sha256OfNothing }, "what a put of nothing answers");
	demandEqual((await blobs.get("empty"))?.byteLength, 0, "how many bytes nothing has");
	const key = `extraction-${samples.newId()}-12`;
	const binary = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256);
	await blobs.put(key, binaryPieces(binary), Number.POSITIVE_INFINITY);
	const back = await blobs.get(key);
	demand(back !== null && back.length === binary.length && back.every((byte, i) => byte === binary[i]), "binary bytes came back changed");
}

async function* binaryPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	for (let start = 0; start < bytes.length; start += 9_999) yield bytes.subarray(start, start + 9_999);
}

async function tooLarge({ blobs }: Ground): Promise<void> {
	await demandTooLarge(blobs.put("big", pieces("ab", "cd"), 3));
	demandEqual(await blobs.get("big"), null, "a blob that was refused");
	await demandTooLarge(blobs.put("big", pieces("abcd"), 3));
	demandEqual(await blobs.get("big"), null, "a blob of one piece that was refused");
}

async function stopsReading({ blobs }: Ground): Promise<void> {
	let read = 0;
	let isClosed = false;
	async function* endless(): AsyncGenerator<Uint8Array> {
		try {
			for (; read < 10_000; read++) yield new Uint8Array(10);
		} finally {
			isClosed = true;
		}
	}
	await demandTooLarge(blobs.put("endless", endless(), 100));
	demand(read < 1_000, `${read * 10} bytes were read of 100 allowed`);
	demand(isClosed, "the source was left open");
	demandEqual(await blobs.get("endless"), null, "a blob that was refused");
}

async function* breaking(): AsyncGenerator<Uint8Array> {
	yield new Uint8Array(10);
	throw new Error("the line went dead");
}

async function brokenOff({ blobs }: Ground): Promise<void> {
	demand((await rejection(blobs.put("half", breaking(), 100))) !== null, "half a file was kept");
	demandEqual(await blobs.get("half"), null, "a blob whose source broke off");
}

async function failedPutKeepsOld({ blobs }: Ground): Promise<void> {
	await blobs.put("kept", pieces("old"), 100);
	await rejection(blobs.put("kept", breaking(), 100));
	await rejection(blobs.put("kept", pieces("far too long"), 5));
	demandEqual(await textOf(blobs, "kept"), "old", "the bytes after two failed puts");
}

async function putReplaces({ blobs }: Ground): Promise<void> {
	await blobs.put("same", pieces("a longer text"), 100);
	demandEqual(await blobs.put("same", pieces("abc"), 100), { byteLength: 3, sha256: sha256OfAbc }, "what a second put answers");
	demandEqual(await textOf(blobs, "same"), "abc", "the bytes after a second put");
}

async function missing({ blobs }: Ground): Promise<void> {
	demandEqual(await blobs.get("nothing"), null, "a blob that was never put");
	await blobs.remove("nothing");
	await blobs.put("gone", pieces("abc"), 100);
	await blobs.remove("gone");
	demandEqual(await blobs.get("gone"), null, "a blob that was removed");
	await blobs.remove("gone");
}

const odd = ["", ".", "..", "../escape", "a/b", "/etc/escape", "a\\b", "..\\escape", "nul\u0000", "new\nline", "a/../../escape", "k".repeat(5_000)];

async function oddKeys({ blobs }: Ground): Promise<void> {
	for (const key of odd) {
		demand((await rejection(blobs.put(key, pieces("abc"), 100))) !== null, `the key ${JSON.stringify(key.slice(0, 20))} was taken`);
		const found = await blobs.get(key).catch(() => null);
		demandEqual(found, null, `the bytes of the key ${JSON.stringify(key.slice(0, 20))}`);
		await rejection(blobs.remove(key));
	}
}

async function apart({ blobs, others }: Ground): Promise<void> {
	await blobs.put("same", pieces("ours"), 100);
	demandEqual(await others.get("same"), null, "another's blob");
	await others.put("same", pieces("theirs"), 100);
	await blobs.remove("same");
	demandEqual([await blobs.get("same"), await textOf(others, "same")], [null, "theirs"], "two blobs of one key after one was removed");
}

async function namesIn(store: BlobStorePlugin): Promise<readonly string[]> {
	const names: string[] = [];
	for await (const { organisation, key, writtenAt, placedAt } of store.list()) {
		demand(
			[writtenAt, placedAt].every((time) => Number.isFinite(time.getTime())),
			`${key} has no time`,
		);
		names.push(`${organisation} ${key}`);
	}
	return names.toSorted();
}

async function lists({ store, blobs, others }: Ground): Promise<void> {
	demandEqual(await namesIn(store), [], "the blobs of an empty store");
	await blobs.put("gone", pieces("abc"), 100);
	await blobs.put("kept", pieces("abc"), 100);
	await others.put("kept", pieces("abc"), 100);
	await blobs.remove("gone");
	await rejection(blobs.put("half", breaking(), 100));
	await store.maintain?.(new AbortController().signal);
	demandEqual(await namesIn(store), [sampleOrganisation, otherOrganisation].map((id) => `${id} kept`).toSorted(), "the blobs that are listed");
	demandEqual(await textOf(blobs, "kept"), "abc", "the bytes after the store was tended");
}

async function outlives({ blobs, reopen }: Ground): Promise<void> {
	await blobs.put("kept", pieces("abc"), 100);
	if (reopen === undefined) return;
	const anew = await reopen();
	demandEqual(await textOf(anew.organisation(sampleOrganisation), "kept"), "abc", "the bytes in a store that was opened anew");
	demandEqual(await namesIn(anew), [`${sampleOrganisation} kept`], "the blobs of a store that was opened anew");
}

async function keepsMark({ store, blobs, reopen }: Ground): Promise<void> {
	if (store.owner === undefined) return;
	demandEqual(await store.owner.read(), null, "the mark of blobs that are nobody's");
	const longest = "m".repeat(100);
	for (const mark of ["first-1", longest, "last-2"]) {
		await store.owner.write(mark);
		demandEqual(await store.owner.read(), mark, "the mark that was written");
	}
	await blobs.put("beside", pieces("abc"), 100);
	demandEqual(await namesIn(store), [`${sampleOrganisation} beside`], "the blobs beside a mark");
	if (reopen !== undefined) demandEqual(await (await reopen()).owner?.read(), "last-2", "the mark in a store that was opened anew");
}
