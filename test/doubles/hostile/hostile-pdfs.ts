/** PDFs that are small on disk and endless inside, that lie about themselves, or that are damaged. */

import { deflateBomb } from "./deflate-bomb.ts";

type PdfObject = string | { readonly dictionary: string; readonly data: Uint8Array };

const catalog = "<</Type/Catalog/Pages 2 0 R>>";
const onePage = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
const megabyteOfBlanks = new Uint8Array(2 ** 20).fill(0x20);

/** @param words must not hold brackets or backslashes. */
export function healthyPdf(words: string): Uint8Array {
	return pdf([catalog, onePage, page(5), font, stream(`BT /F1 12 Tf 72 700 Td (${words}) Tj ET`)]);
}

/** The same words at the foot of every page. */
export function repeatedPages(words: string, count: number): Uint8Array {
	const numbers = Array.from({ length: count }, (_, at) => `${at + 5} 0 R`);
	const pages = numbers.map(() => page(3));
	return pdf([catalog, `<</Type/Pages/Kids[${numbers.join(" ")}]/Count ${count}>>`, stream(`BT /F1 9 Tf 10 10 Td (${words}) Tj ET`), font, ...pages]);
}

export const hostilePdfs = {
	gigabyteStream: () => pdf([catalog, onePage, page(5), font, packed(deflateBomb(megabyteOfBlanks, 1_024), 1)]),
	/** A gigabyte, compressed three times over: some kilobytes. */
	threefoldStream: () => pdf([catalog, onePage, page(5), font, packed(deflatedAgain(deflatedAgain(deflateBomb(megabyteOfBlanks, 1_024))), 3)]),
	pageTreeLoop: () => pdf([catalog, "<</Type/Pages/Kids[2 0 R]/Count 1>>"]),
	lyingCount: () => pdf([catalog, "<</Type/Pages/Kids[3 0 R]/Count 2000000000>>", page(5), font, stream("BT /F1 24 Tf (x) Tj ET")]),
	deepPageTree: () => {
		const levels = Array.from({ length: 20_000 }, (_, level) => `<</Type/Pages/Kids[${level + 3} 0 R]/Count 1>>`);
		return pdf([catalog, ...levels, "<</Type/Page/MediaBox[0 0 10 10]>>"]);
	},
	hugePicture: () => {
		const picture = "/Type/XObject/Subtype/Image/Width 100000/Height 100000/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode";
		const paint = stream("600 0 0 700 0 0 cm /I Do");
		return pdf([catalog, onePage, page(5, "/XObject<</I 6 0 R>>"), font, paint, { dictionary: picture, data: deflateBomb(new Uint8Array(1_000), 1) }]);
	},
	/** A JPEG 2000 stream whose header promises 60,000 by 60,000. */
	hugeJpx: () => pictured("/Filter/JPXDecode/Width 60000/Height 60000", jpxHeader(60_000)),
	/** The same as a fax of today, one page as wide and high as its numbers go. */
	hugeJbig2: () => pictured("/Filter/JBIG2Decode/ColorSpace/DeviceGray/BitsPerComponent 1/Width 60000/Height 60000", jbig2Page(0x7fffffff)),
	/** It would start a program, open an address and run a script. */
	actions: () => {
		const acting =
			"/OpenAction<</S/Launch/F(/bin/sh)>>/AA<</WC<</S/URI/URI(http://127.0.0.1:9/)>>>>/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(app.alert(1))>>]>>>>";
		return pdf([catalog.replace(">>", `${acting}>>`), onePage, page(5), font, stream("BT /F1 12 Tf 72 700 Td (Read and nothing more) Tj ET")]);
	},
	/** Three thousand sheets without a text layer, each with something on it. */
	threeThousandScans: () => {
		const numbers = Array.from({ length: 3_000 }, (_, at) => `${at + 5} 0 R`);
		const sheet = stream("0 g 72 700 200 12 re f 72 660 150 12 re f 72 620 250 12 re f");
		return pdf([catalog, `<</Type/Pages/Kids[${numbers.join(" ")}]/Count 3000>>`, sheet, font, ...numbers.map(() => page(3))]);
	},
	hugePage: () => pdf([catalog, onePage, page(5).replace("612 792", "20000000 20000000"), font, stream("BT /F1 24 Tf (x) Tj ET")]),
	/** They paint nothing, so that nothing but time is spent on them. */
	millionsOfOperators: () => pdf([catalog, onePage, page(5), font, packed(deflateBomb(Buffer.from("q Q\n".repeat(50_000)), 4_000), 1)]),
	millionsOfStrokes: () => {
		const operators = "0 0 m 600 700 500 100 300 300 c 10 10 l f q Q BT /F1 9 Tf (abc) Tj ET\n".repeat(1_000);
		return pdf([catalog, onePage, page(5), font, packed(deflateBomb(Buffer.from(operators), 3_000), 1)]);
	},
	recursiveForm: () => pdf([catalog, onePage, page(5, "/XObject<</X 6 0 R>>"), font, stream("/X Do"), form("/X Do /X Do", 6)]),
	/** Thirty forms that show the next one four times: 4³⁰ words. */
	exponentialForms: () => {
		const forms = Array.from({ length: 30 }, (_, level) => form("/X Do /X Do /X Do /X Do", level + 7));
		return pdf([catalog, onePage, page(5, "/XObject<</X 6 0 R>>"), font, stream("/X Do"), ...forms, form("BT /F1 9 Tf (abc) Tj ET", null)]);
	},
	deepArray: () => Buffer.from(`%PDF-1.7\n1 0 obj\n${"[".repeat(2_000_000)}\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF`),
	garbage: () => Buffer.concat([Buffer.from("%PDF-1.7\n"), new Uint8Array(100_000).map((_, at) => (at * 7_919) >> 3)]),
	empty: () => new Uint8Array(),
	twentyThousandPages: () => repeatedPages("page text here", 20_000),
	truncated: () => healthyPdf("cut off before its end").subarray(0, 300),
} as const satisfies Record<string, () => Uint8Array>;

function page(contents: number, resources = ""): string {
	return `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${contents} 0 R/Resources<</Font<</F1 4 0 R>>${resources}>>>>`;
}

/** One page that shows a picture of this kind. */
function pictured(dictionary: string, data: Uint8Array): Uint8Array {
	const paint = stream("600 0 0 700 0 0 cm /I Do");
	return pdf([catalog, onePage, page(5, "/XObject<</I 6 0 R>>"), font, paint, { dictionary: `/Type/XObject/Subtype/Image${dictionary}`, data }]);
}

/** Start of codestream and its size, three components of eight bits, in one tile. */
function jpxHeader(side: number): Uint8Array {
	const size = Buffer.alloc(51);
	size.writeUInt32BE(0xff4fff51, 0);
	size.writeUInt16BE(47, 4);
	for (const at of [8, 12, 24, 28]) size.writeUInt32BE(side, at);
	size.writeUInt16BE(3, 40);
	for (const component of [0, 1, 2]) size.set([7, 1, 1], 42 + component * 3);
	return size;
}

/** The segment that tells the size of the page. */
function jbig2Page(side: number): Uint8Array {
	const segment = Buffer.alloc(30);
	segment.set([0, 0, 0, 0, 48, 0, 1, 0, 0, 0, 19]);
	segment.writeUInt32BE(side, 11);
	segment.writeUInt32BE(side, 15);
	return segment;
}

function stream(text: string, dictionary = ""): PdfObject {
	return { dictionary, data: Buffer.from(text) };
}

function packed(data: Uint8Array, times: number): PdfObject {
	return { dictionary: `/Filter[${"/FlateDecode".repeat(times)}]`, data };
}

function deflatedAgain(data: Uint8Array): Uint8Array {
	return deflateBomb(data, 1);
}

/** @param shown the form that it may show in turn. */
function form(text: string, shown: number | null): PdfObject {
	const resources = shown === null ? "/Font<</F1 4 0 R>>" : `/XObject<</X ${shown} 0 R>>`;
	return stream(text, `/Type/XObject/Subtype/Form/BBox[0 0 600 700]/Resources<<${resources}>>`);
}

/** Objects in the order of their numbers, the catalog first, with a table of where each begins. */
function pdf(objects: readonly PdfObject[]): Uint8Array {
	const parts: Uint8Array[] = [];
	let length = 0;
	const write = (part: string | Uint8Array) => {
		const bytes = typeof part === "string" ? Buffer.from(part) : part;
		parts.push(bytes);
		length += bytes.length;
	};
	const starts: number[] = [];
	write("%PDF-1.7\n");
	for (const [at, object] of objects.entries()) {
		starts.push(length);
		write(`${at + 1} 0 obj\n`);
		if (typeof object === "string") write(object);
		else for (const part of [`<<${object.dictionary}/Length ${object.data.length}>>\nstream\n`, object.data, "\nendstream"]) write(part);
		write("\nendobj\n");
	}
	const table = length;
	const lines = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`);
	write(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join("")}`);
	write(`trailer <</Size ${objects.length + 1} /Root 1 0 R>>\nstartxref\n${table}\n%%EOF`);
	return Buffer.concat(parts);
}
