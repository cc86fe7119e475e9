/** A blob store in RAM, for tests. */

import { createHash } from "node:crypto";
import { type BlobStore, type BlobStorePlugin, fail, type HeldBlob, type OrganisationId, type World } from "cairn-memory";

/** Valid keys of blobs. A store with files must refuse all others, so this one does too. */
const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

type Blob = HeldBlob & { readonly bytes: Uint8Array };

export function ramBlobs({ now }: Pick<World, "now">): BlobStorePlugin {
	const blobs = new Map<string, Blob>();

	function organisation(id: OrganisationId): BlobStore {
		const nameOf = (key: string) => `${id} ${checkedKey(key)}`;
		return {
			put: async (key, pieces, bytesMax) => {
				const name = nameOf(key);
				const bytes = await readAll(pieces, bytesMax);
				blobs.set(name, { organisation: id, key, bytes, writtenAt: now(), placedAt: now() });
				return { byteLength: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
			},
			get: async (key) => blobs.get(nameOf(key))?.bytes.slice() ?? null,
			remove: async (key) => void blobs.delete(nameOf(key)),
		};
	}

	return {
		name: "ram",
		organisation,
		list: async function* () {
			yield* [...blobs.values()];
		},
	};
}

function checkedKey(key: string): string {
	if (!keyPattern.test(key)) throw fail("INPUT_INVALID", `${JSON.stringify(key)} is not a valid blob key`);
	return key;
}

/** Copies each piece, because the source may reuse its buffer. */
async function readAll(bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
	const pieces: Uint8Array[] = [];
	let byteLength = 0;
	for await (const piece of bytes) {
		byteLength += piece.byteLength;
		if (byteLength > bytesMax) throw fail("FILE_TOO_LARGE", bytesMax);
		pieces.push(piece.slice());
	}
	return new Uint8Array(Buffer.concat(pieces));
}
