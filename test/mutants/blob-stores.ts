/** Blob stores that keep bytes they should not, forget some, or take anything for a key. */

import type { BlobStore, BlobStorePlugin } from "cairn-memory";
import { sampleOrganisation } from "../contract/samples.ts";

export interface BlobMutant {
	/** What is wrong with it. */
	readonly name: string;
	/** The name of the contract test that catches it. */
	readonly breaks: string;
	readonly spoil: (sound: BlobStorePlugin) => BlobStorePlugin;
}

function spoilTenant(spoil: (blobs: BlobStore) => Partial<BlobStore>): BlobMutant["spoil"] {
	return (sound) => ({
		...sound,
		organisation: (id) => {
			const blobs = sound.organisation(id);
			return { ...blobs, ...spoil(blobs) };
		},
	});
}

async function* firstBytes(bytes: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
	let left = bytesMax;
	for await (const piece of bytes) {
		yield piece.subarray(0, left);
		left -= piece.byteLength;
		if (left <= 0) return;
	}
}

async function* again(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
	yield* pieces;
}

export const blobMutants: readonly BlobMutant[] = [
	{
		name: "keeps the first bytes of what is too large",
		breaks: "blobs: more bytes than allowed are refused, and nothing is left",
		spoil: spoilTenant(({ put }) => ({
			put: async (key, bytes, bytesMax) => {
				const all = await Array.fromAsync(bytes);
				await put(key, firstBytes(again(all), bytesMax), bytesMax);
				return put(key, again(all), bytesMax);
			},
		})),
	},
	{
		name: "takes a path for a key",
		breaks: "blobs: keys that are paths or nothing are refused",
		spoil: spoilTenant(({ put }) => ({
			put: (key, bytes, bytesMax) => put(`x${key.replaceAll(/[^a-z]/g, "").slice(0, 20)}`, bytes, bytesMax),
		})),
	},
	{
		name: "keeps all blobs in one room",
		breaks: "blobs: one key of two organisations names two blobs",
		spoil: (sound) => ({ ...sound, organisation: () => sound.organisation(sampleOrganisation) }),
	},
	{
		name: "lists the blobs of one organisation only",
		breaks: "blobs: all blobs are listed, and no other",
		spoil: (sound) => ({
			...sound,
			list: async function* () {
				for await (const blob of sound.list()) if (blob.organisation === sampleOrganisation) yield blob;
			},
		}),
	},
	{
		name: "lists the mark of its owner",
		breaks: "blobs: the mark of the owner is kept beside the blobs, and is none of them",
		spoil: (sound) => {
			const blobs = sound.organisation(sampleOrganisation);
			const read = async () => {
				const bytes = await blobs.get("owner");
				return bytes === null ? null : new TextDecoder().decode(bytes);
			};
			return { ...sound, owner: { read, write: async (mark) => void (await blobs.put("owner", again([new TextEncoder().encode(mark)]), mark.length)) } };
		},
	},
	{
		name: "forgets all when it is opened anew",
		breaks: "blobs: what was put outlives the store, where it can be opened anew",
		spoil: (sound) => sound,
	},
];
