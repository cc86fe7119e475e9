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

/** So many characters tell milliseconds for 4,000 years. The alphabet ascends, so texts with them in front ascend with time. */
const timeLength = 8;

/**
 * A new id. With a time it begins with that time, so that what is made together lies together in every index: with chance alone each
 * row of a write is on another page. 82 bits of chance follow; without a time there are 128.
 */
export function newId<T extends AnyId>(randomBytes: RandomBytes, at: Date | null = null): T {
	// Bytes from here on are thrown away, so that every character is equally likely.
	const fairBelow = 256 - (256 % alphabet.length);
	let id = at === null ? "" : timeOf(at);
	while (id.length < idLength) {
		const bytes = randomBytes(32);
		for (let i = 0; i < bytes.length && id.length < idLength; i++) {
			const byte = bytes[i] ?? fairBelow;
			if (byte < fairBelow) id += alphabet[byte % alphabet.length];
		}
	}
	return asId<T>(id);
}

function timeOf(at: Date): string {
	let text = "";
	for (let rest = Math.max(0, at.getTime()); text.length < timeLength; rest = Math.floor(rest / alphabet.length))
		text = `${alphabet[rest % alphabet.length]}${text}`;
	return text;
}

/** Whether a text has the form of an id. It may still name nothing. */
export function isId(text: string): boolean {
	return idPattern.test(text);
}

/** Brands a text that is known to be an id: one just made, or one read back from the store. */
export function asId<T extends AnyId>(text: string): T {
	return text as T;
}
