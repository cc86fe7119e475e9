/** Where backups are kept: a folder, or a prefix of a bucket. Names are paths below it, with slashes. */

export interface PlacedFile {
	readonly name: string;
	readonly bytes: number;
}

export interface BackupPlace {
	/** For messages; without secrets. */
	readonly address: string;
	/** The path of a folder; null for a bucket. */
	readonly folder: string | null;
	/** The files in a folder of the place, such as `objects/`, and in the folders below it. The empty name is the place itself, without its folders. */
	readonly list: (folder: string) => Promise<readonly PlacedFile[]>;
	/** Null if there is no such file. */
	readonly read: (name: string) => Promise<AsyncIterable<Uint8Array> | null>;
	/** Writes a file completely or not at all. An existing one is replaced. @param bytesMax the most bytes that all pieces have together */
	readonly write: (name: string, pieces: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<void>;
	/** Writes a small file unless it exists. @returns whether it was written */
	readonly create: (name: string, text: string) => Promise<boolean>;
	readonly remove: (name: string) => Promise<void>;
	/**
	 * Removes what interrupted writing left behind, if nothing was written to it since this time.
	 * @param isLocked whether the caller holds the lock of the place; then no incremental backup is being written, and what one left goes at any age
	 */
	readonly removeUnfinished: (before: Date, isLocked: boolean) => Promise<void>;
}

export async function writeText(place: BackupPlace, name: string, text: string): Promise<void> {
	const bytes = new TextEncoder().encode(text);
	await place.write(name, oneOf(bytes), bytes.byteLength);
}

export async function readText(place: BackupPlace, name: string): Promise<string | null> {
	const pieces = await place.read(name);
	return pieces === null ? null : Buffer.concat(await Array.fromAsync(pieces)).toString("utf8");
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
