/** The code pages of RTF: of the file by number, and of each font by its Windows character set. */

import iconv from "iconv-lite";

/** Windows character sets; the default and the symbol set use the file's code page. */
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

/** Null for a character set without a code page of its own. */
export function pageOfCharset(charset: number): number | null {
	return ofCharset[charset] ?? null;
}

/** Bytes of a symbol font are no letters. */
export const symbolCharset = 2;

const names: Readonly<Record<number, string>> = { 10000: "macroman", 10007: "maccyrillic", 1361: "cp949", 65001: "utf-8" };

export function decodePage(bytes: Uint8Array, page: number): string {
	const name = names[page] ?? `cp${page}`;
	return iconv.decode(bytes, iconv.encodingExists(name) ? name : `cp${westernPage}`);
}
