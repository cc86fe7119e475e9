/** Branded identifiers: 22 characters of base58, so that one kind of id is never taken for another. */

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type OrganisationId = Id<"organisation">;
export type DocumentId = Id<"document">;
export type ChunkId = Id<"chunk">;
export type MemoryId = Id<"memory">;
export type JobId = Id<"job">;
export type KeyId = Id<"key">;
/** Names everything that one request removed or forgot. */
export type RemovalId = Id<"removal">;
export type AnyId = OrganisationId | DocumentId | ChunkId | MemoryId | JobId | KeyId | RemovalId;

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const idLength = 22;
const idPattern = new RegExp(`^[${alphabet}]{${idLength}}$`);

/** Fills an array with random bytes, as `crypto.getRandomValues` does. */
export type RandomBytes = (byteLength: number) => Uint8Array;

/** A new id with about 128 bits of chance in it. Bytes over 231 are thrown away so that every character is equally likely. */
export function newId<T extends AnyId>(randomBytes: RandomBytes): T {
	const fairBelow = 256 - (256 % alphabet.length);
	let id = "";
	while (id.length < idLength) {
		for (const byte of randomBytes(32)) {
			if (byte < fairBelow && id.length < idLength) id += alphabet[byte % alphabet.length];
		}
	}
	return asId<T>(id);
}

/** Whether a text has the form of an id. It may still name nothing. */
export function isId(text: string): boolean {
	return idPattern.test(text);
}

/** Brands a text that is known to be an id: one just made, or one read back from the store. */
export function asId<T extends AnyId>(text: string): T {
	return text as T;
}
