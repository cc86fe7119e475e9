/** Small files of formats that nobody reads here, each with the bytes by which it is known, written by hand from the formats' descriptions. */

import { compoundOf, streamNode } from "./compound-file.ts";
import { zipOf } from "./zip-of.ts";

export interface UnreadFile {
	readonly fileName: string;
	/** What the error has to call it. */
	readonly name: string;
	readonly bytes: Uint8Array;
}

const words = "The words inside of it are for another program. ".repeat(4);

/** Bytes from pieces of Latin-1 and numbers. */
function bytesOf(...pieces: readonly (string | readonly number[])[]): Uint8Array {
	return new Uint8Array(Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : Buffer.from(piece)))));
}

const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);
/** Pixels of a light picture: no controls among them, so that they look like letters of an old encoding. */
const pixels = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => 0xc1 + ((at * 7 + (at >> 4)) % 60));
/** Samples of a measurement: bytes of all kinds. */
const samples = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => (at * 7919 + (at >> 3) * 31) % 256);

const types = (part: string, type: string) =>
	`<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="${part}" ContentType="${type}"/></Types>`;
const declared = (type: string, ...entries: readonly string[]) =>
	zipOf({ mimetype: type, ...Object.fromEntries(entries.map((entry) => [entry, `<x>${words}</x>`])) });
const packed = (...entries: readonly string[]) => zipOf(Object.fromEntries(entries.map((entry) => [entry, words])));
const opc = (part: string, type: string) =>
	zipOf({ "[Content_Types].xml": types(`/${part}`, type), "_rels/.rels": "<Relationships/>", [part]: `<x>${words}</x>` });

/** Every field of FITS has 80 columns, and the header 2,880 bytes. */
const fits = ["SIMPLE  =                    T", "BITPIX  =                   16", "NAXIS   =                    2", "OBJECT  = 'M31     '", "END"]
	.map((card) => card.padEnd(80))
	.join("")
	.padEnd(2_880);

const digits: Readonly<Record<string, number>> = { " ": 0x40, ".": 0x4b, ",": 0x6b, "\n": 0x25 };
/** Letters stand in three rows of nine, of which the last has eight. */
function ebcdic(text: string): readonly number[] {
	return [...text].map((sign) => {
		const at = sign.toLowerCase().charCodeAt(0) - 97;
		if (at < 0 || at > 25) return digits[sign] ?? 0x40;
		const [row, column] = at < 18 ? [Math.floor(at / 9), at % 9] : [2, at - 17];
		return (sign === sign.toLowerCase() ? 0x81 : 0xc1) + row * 0x10 + column;
	});
}

/** With the class of its root, which stands 80 bytes into the first entry of the list of streams. */
function compound(stream: string, rootClass = 0): Uint8Array {
	const bytes = compoundOf([streamNode(stream, new TextEncoder().encode(words))]);
	const view = new DataView(bytes.buffer);
	view.setUint32((view.getUint32(48, true) + 1) * 512 + 80, rootClass, true);
	return bytes;
}

const file = (fileName: string, name: string, bytes: Uint8Array): UnreadFile => ({ fileName, name, bytes });

export const unreadFiles: readonly UnreadFile[] = [
	// ZIPs that say themselves what they are.
	file("a.odf", "OpenDocument formula", declared("application/vnd.oasis.opendocument.formula", "content.xml")),
	file("a.odb", "OpenDocument database", declared("application/vnd.oasis.opendocument.base", "content.xml")),
	file("a.sxw", "OpenOffice 1 text", declared("application/vnd.sun.xml.writer", "content.xml")),
	file("a.hwpx", "Hangul document", declared("application/hwp+zip", "Contents/section0.xml")),
	file("a.kra", "Krita picture", declared("application/x-krita", "maindoc.xml")),
	file("a.ora", "OpenRaster picture", declared("image/openraster", "stack.xml")),
	file("a.idml", "InDesign document", declared("application/vnd.adobe.indesign-idml-package", "designmap.xml")),
	file("a.xd", "Adobe XD design", declared("application/vnd.adobe.sparkler.project+dcx", "manifest")),
	file("a.mxl", "MusicXML score", declared("application/vnd.recordare.musicxml", "META-INF/container.xml", "score.xml")),
	file("a.acme", "application/vnd.acme.plan", declared("application/vnd.acme.plan", "plan.xml")),

	// ZIPs by what is in them.
	file("a.xps", "Microsoft XPS document", opc("FixedDocumentSequence.fdseq", "application/vnd.ms-package.xps-fixeddocumentsequence+xml")),
	file("renamed.zip", "Microsoft XPS document", opc("FixedDocSeq.fdseq", "application/vnd.ms-package.xps-fixeddocumentsequence+xml")),
	file("a.xlsb", "Excel binary workbook", opc("xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroEnabled.main")),
	file("a.3mf", "3MF model", opc("3D/3dmodel.model", "application/vnd.ms-package.3dmanufacturing-3dmodel+xml")),
	file("a.pbix", "Power BI report", opc("Report/Layout", "application/json")),
	file("a.foo", "Open Packaging container", opc("foo/main.xml", "application/vnd.acme.foo+xml")),
	file("old.pages", "iWork document from before 2013", packed("index.xml", "buildVersionHistory.plist")),
	file("whose", "iWork document", packed("Index/Document.iwa", "preview.jpg")),
	file("a.ggb", "GeoGebra construction", packed("geogebra.xml", "geogebra_javascript.js")),
	file("a.sketch", "Sketch design", packed("document.json", "meta.json", "pages/1.json")),
	file("a.fig", "Figma design", packed("canvas.fig", "meta.json")),
	file("a.xmind", "XMind mind map", packed("content.json", "metadata.json", "manifest.json")),
	file("a.mmap", "MindManager map", packed("Document.xml")),
	file("a.apkg", "Anki cards", packed("collection.anki2", "media")),
	file("a.sb3", "Scratch project", packed("project.json")),
	file("a.FCStd", "FreeCAD model", packed("Document.xml", "GuiDocument.xml")),
	file("a.apk", "Android app", packed("AndroidManifest.xml", "classes.dex", "assets/readme.txt")),
	file("a.ipa", "iOS app", packed("Payload/Notes.app/Info.plist")),
	file("a.jar", "Java archive", packed("META-INF/MANIFEST.MF", "readme.txt")),

	// What programs write for programs, in letters.
	file("a.mif", "FrameMaker document", bytesOf(`<MIFFile 2019>\n<Para <String \`${words}'>>\n`)),
	file("a.cbor", "CBOR data", bytesOf([0xd9, 0xd9, 0xf7, 0x79, 0x01, 0x00], words)),
	file("a.arc", "web archive (ARC)", bytesOf(`filedesc://a.arc 0.0.0.0 20050614070144 text/plain 77\n1 0 X\n\n${words}`)),
	file("a.p7m", "signed or encrypted message", bytesOf([0x30, 0x82, 0x02, 0x00, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02], words)),
	file("a.mrc", "library records", bytesOf("01448nam a2200169 a 4500", "001001300000003000600013", [0x1e], words, [0x1d])),
	file("a.dxf", "CAD drawing (DXF)", bytesOf(`  0\nSECTION\n  2\nHEADER\n  1\n${words}\n`)),
	file("a.stl", "STL model", bytesOf(`solid part\n facet normal 0 0 1\n  outer loop\n${"   vertex 0 0 1\n".repeat(9)}`)),
	file("a.eps", "EPS drawing", bytesOf(`%!PS-Adobe-2.0 EPSF-2.0\n%%Title: a\n(${words}) show\n`)),

	// OLE containers.
	file("a.vsd", "Visio drawing from before 2013", compound("VisioDocument", 0x00021a14)),
	file("b.vss", "Visio drawing from before 2013", compound("VisioDocument")),
	file("a.pub", "Publisher document", compound("Contents", 0x00021201)),
	file("a.mpp", "Project plan", compound("Props", 0x74b78f3a)),
	file("a.msi", "Windows installer", compound("Tables", 0x000c1084)),
	file("a.hwp", "Hangul document", compound("HwpSummaryInformation")),
	file("a.wps", "Works document", compound("MatOST")),

	// By their first bytes.
	file("a.pst", "Outlook data file", bytesOf("!BDN", zeros(4), "SM", [23, 0, 19, 0], zeros(200))),
	file("a.one", "OneNote section", bytesOf([0xe4, 0x52, 0x5c, 0x7b, 0x8c, 0xd8, 0xa7, 0x4d, 0xae, 0xb1, 0x53, 0x78, 0xd0, 0x29, 0x96, 0xd3], samples(300))),
	file("winmail.dat", "Outlook rich-text attachment", bytesOf([0x78, 0x9f, 0x3e, 0x22, 1, 0], samples(300))),
	file("a.mdb", "Access database", bytesOf([0, 1, 0, 0], "Standard Jet DB", samples(300))),
	file("a.wpd", "WordPerfect document", bytesOf("\xffWPC", [0x10, 0, 0, 0, 1, 10, 2, 1], words)),
	file("a.webarchive", "Safari web archive", bytesOf("bplist00", [0xd1, 1, 2, 0x5f, 0x10, 15], "WebMainResource", "WebResourceData", words)),
	file("settings.plist", "Apple binary property list", bytesOf("bplist00", [0xd1, 1, 2], words)),
	file("a.djvu", "DjVu document", bytesOf("AT&TFORM", [0, 0, 1, 0], "DJVMDIRM", samples(300))),
	file("a.fits", "FITS data", bytesOf(fits, words.repeat(20))),
	file("a.h5", "HDF5 data", bytesOf("\x89HDF\r\n\x1a\n", samples(300))),
	file("a.mat", "MATLAB data", bytesOf("MATLAB 5.0 MAT-file, Platform: GLNXA64".padEnd(116), zeros(8), [0, 1], "IM", samples(300))),
	file("a.npy", "NumPy array", bytesOf("\x93NUMPY", [1, 0, 118, 0], "{'descr': '<f8'}", samples(300))),
	file("a.pcx", "PCX picture", bytesOf([10, 5, 1, 8, ...zeros(124)], pixels(6_000))),
	file("a.emf", "Windows metafile", bytesOf([1, 0, 0, 0, 108, 0, 0, 0], zeros(32), " EMF", samples(200))),
	file("a.wmf", "Windows metafile", bytesOf([0xd7, 0xcd, 0xc6, 0x9a, 0, 0], samples(200))),
	file("a.ppm", "Netpbm picture", bytesOf("P6\n640 480\n255\n", pixels(6_000))),
	file("a.psd", "Photoshop picture", bytesOf("8BPS", [0, 1], zeros(6), [0, 3], samples(200))),
	file("a.dwg", "AutoCAD drawing", bytesOf("AC1032", zeros(6), samples(200))),
	file("a.mobi", "Mobipocket or Kindle book", bytesOf("A_book".padEnd(32, "\0"), zeros(28), "BOOKMOBI", samples(200))),
	file("a.chm", "compiled HTML help", bytesOf("ITSF", [3, 0, 0, 0], samples(200))),
	file("a.sqlite", "SQLite database", bytesOf("SQLite format 3\0", samples(200))),
	file("a.parquet", "Parquet data", bytesOf("PAR1", [0x15, 4], samples(200))),
	file("a.cab", "Windows cabinet", bytesOf("MSCF", zeros(4), samples(200))),

	// By nothing but their names, where the bytes are no text.
	file("a.tga", "Targa picture", bytesOf([0, 0, 2], zeros(9), [64, 0, 64, 0, 24, 0], pixels(4_000))),
	file("a.dbf", "dBase table", bytesOf([3, 124, 5, 12, 2, 0, 0, 0, 65, 0, 20, 0], zeros(20), samples(300))),
	file("strange.bin", "binary data in an unknown format", bytesOf(samples(600))),
	file("light.raw", "binary data in an unknown format", bytesOf(pixels(6_000))),
	file("begins.txt", "binary data in an unknown format", bytesOf("#!/bin/sh\necho unpacking\n".repeat(400), samples(60_000))),

	// Text that no decoder here knows.
	file("mainframe.txt", "text in EBCDIC", bytesOf(ebcdic(`${words}\nIt was written on a mainframe, long ago.\n`.repeat(8)))),
];
