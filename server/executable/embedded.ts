/** The archive of the package and its name. In an executable this file is another, which `scripts/make-executable.ts` writes. */

/** The first digits of the SHA-256 of the archive, hexadecimal. */
export const digest = "";

export async function archive(): Promise<Uint8Array<ArrayBuffer>> {
	throw new Error("only an executable has an archive of the package in it");
}
