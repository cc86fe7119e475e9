/** A file in an archive of any kind, and the reasons why one cannot be extracted. */

export interface ArchiveEntry {
	readonly path: string;
	/** Why it must not be opened; null if it may be opened. */
	readonly flaw: Flaw | null;
	/** @throws ServiceError if it is damaged, or has more bytes when decompressed. */
	readonly open: (bytesMax: number) => Uint8Array;
}

export type Flaw = "encrypted" | "broken" | "large" | "many" | "overlapping";

export const flawWords: Readonly<Record<Flaw, string>> = {
	encrypted: "protected by a password",
	broken: "damaged, or compressed with an unsupported method",
	large: "too large, or compressed far more than normal files are",
	many: "too many",
	overlapping: "overlapping other files, as in decompression bombs",
};

/** A file with a larger compression ratio is a decompression bomb, unless it is small: small harmless files may exceed the ratio. */
const compressionRatioMax = 200;
const uncheckedBytesMax = 16 * 1024 * 1024;

/** How many bytes may come of so many compressed ones. */
export function decompressedBytesMax(compressedBytes: number): number {
	return Math.max(uncheckedBytesMax, compressedBytes * compressionRatioMax);
}

/** Files that operating systems add to archives. */
const systemFile = /(^|\/)(__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i;

/** Whether a path is that of a file, and not of a folder or a file that an operating system added. */
export function isFile(path: string): boolean {
	return path !== "" && !/[/\\]$/.test(path) && !systemFile.test(path.replaceAll("\\", "/"));
}
