/** The code pages that RTF names by number: for the whole file, and for each font by the number of its character set. */

import iconv from "iconv-lite";

/** Character sets of Windows fonts. The default and the symbols follow the file. */
const ofCharset: Readonly<Record<number, number>> = {
	77: 10_000,
	128: 932,
	129: 949,
	130: 1361,
	134: 936,
	136: 950,
	161: 1253,
	162: 1254,
	163: 1258,
	177: 1255,
	178: 1256,
	186: 1257,
	204: 1251,
	222: 874,
	238: 1250,
	254: 437,
	255: 850,
};

export const westernPage = 1252;

/** Null for a set that says nothing of its own. */
export function pageOfCharset(charset: number): number | null {
	return ofCharset[charset] ?? null;
}

/** A byte of a font of pictures is no letter. */
export const symbolCharset = 2;

const names: Readonly<Record<number, string>> = { 10000: "macroman", 10007: "maccyrillic", 1361: "cp949", 65001: "utf-8" };

export function decodePage(bytes: Uint8Array, page: number): string {
	const name = names[page] ?? `cp${page}`;
	return iconv.decode(bytes, iconv.encodingExists(name) ? name : `cp${westernPage}`);
}
