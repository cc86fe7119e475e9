/** The archive of the package and its digest. In an executable, `scripts/make-executable.ts` replaces this file. */

/** The first digits of the archive's SHA-256 checksum, in hex. */
export const digest = "";

export async function archive(): Promise<Uint8Array<ArrayBuffer>> {
	throw new Error("only a single-file executable contains an archive of the package");
}
