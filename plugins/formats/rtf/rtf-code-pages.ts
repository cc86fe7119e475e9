/** The code pages of RTF. The file gives its own by number, and that of each font by a Windows character set. */

import iconv from "iconv-lite";

/** Code pages by Windows character set. The default and the symbol set are missing, since they use the file's code page. */
const codePageByCharset: Readonly<Record<number, number>> = {
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

export const westernCodePage = 1252;

/** Null for a character set that has no code page of its own. */
export function codePageOfCharset(charset: number): number | null {
	return codePageByCharset[charset] ?? null;
}

/** The character set of symbol fonts, whose bytes are not letters. */
export const symbolCharset = 2;

const encodingNames: Readonly<Record<number, string>> = { 10000: "macroman", 10007: "maccyrillic", 1361: "cp949", 65001: "utf-8" };

export function decodeCodePage(bytes: Uint8Array, codePage: number): string {
	const name = encodingNames[codePage] ?? `cp${codePage}`;
	return iconv.decode(bytes, iconv.encodingExists(name) ? name : `cp${westernCodePage}`);
}
