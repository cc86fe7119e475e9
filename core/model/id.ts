/** Branded identifiers: 22 characters of base58, so that one kind of id is never taken for another. */

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type OrganisationId = Id<"organisation">;
export type DocumentId = Id<"document">;
export type ChunkId = Id<"chunk">;
export type MemoryId = Id<"memory">;
export type JobId = Id<"job">;
export type KeyId = Id<"key">;
/** Identifies everything that one request removed or forgot. */
export type RemovalId = Id<"removal">;
export type AnyId = OrganisationId | DocumentId | ChunkId | MemoryId | JobId | KeyId | RemovalId;

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const idLength = 22;
const idPattern = new RegExp(`^[${alphabet}]{${idLength}}$`);

/** Returns an array of random bytes of this length. */
export type RandomBytes = (byteLength: number) => Uint8Array;

/** 8 base58 characters encode the milliseconds of 4,000 years. The alphabet is in ascending order, so later ids sort after earlier ones. */
const timeCharacters = 8;

/**
 * A new id. If a time is given, the id begins with it, so that rows written together are close together in every database index; with
 * random ids each row of a write would be on another page. An id with a time has 82 random bits, one without has 128.
 */
export function newId<T extends AnyId>(randomBytes: RandomBytes, time: Date | null = null): T {
	// Bytes from this value on are discarded, so that every character is equally likely.
	const acceptedBelow = 256 - (256 % alphabet.length);
	let id = time === null ? "" : encodeTime(time);
	while (id.length < idLength) {
		const bytes = randomBytes(32);
		for (let i = 0; i < bytes.length && id.length < idLength; i++) {
			const byte = bytes[i] ?? acceptedBelow;
			if (byte < acceptedBelow) id += alphabet[byte % alphabet.length];
		}
	}
	return asId<T>(id);
}

function encodeTime(time: Date): string {
	let encoded = "";
	for (let remaining = Math.max(0, time.getTime()); encoded.length < timeCharacters; remaining = Math.floor(remaining / alphabet.length))
		encoded = `${alphabet[remaining % alphabet.length]}${encoded}`;
	return encoded;
}

/** Whether a string has the form of an id. Nothing with that id may exist. */
export function isId(text: string): boolean {
	return idPattern.test(text);
}

/** Casts a string that is known to be an id: one that was just made, or one read from the store. */
export function asId<T extends AnyId>(text: string): T {
	return text as T;
}
