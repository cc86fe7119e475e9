/** Every hostile file, made when it is asked for, with the ends it may come to. */

import { fixture } from "./fixture.ts";
import { hostileData } from "./hostile/hostile-data.ts";
import { hostileMedia } from "./hostile/hostile-media.ts";
import { hostileOffice } from "./hostile/hostile-office.ts";
import { hostilePdfs } from "./hostile/hostile-pdfs.ts";
import { hostilePictures } from "./hostile/hostile-pictures.ts";
import { hostileSevenZips } from "./hostile/hostile-seven-zips.ts";
import { hostileTexts } from "./hostile/hostile-texts.ts";
import { hostileZips } from "./hostile/hostile-zips.ts";

export interface HostileFile {
	readonly fileName: string;
	readonly make: () => Uint8Array;
	/** `done`, or the code of the failure. More than one where it depends on the machine which limit is reached first. */
	readonly ends: readonly string[];
}

/** Reading it has no end that is worth waiting for. */
const endless = ["PROCESS_TIMEOUT", "PROCESS_MEMORY"];
/** The reader breaks on it, or notices before it does: that depends on how much stack and memory it has left. */
const breaking = ["FILE_BROKEN", "PROCESS_CRASHED", "CONTENT_EMPTY"];
const damaged = ["FILE_BROKEN"];
const blank = ["CONTENT_EMPTY"];
const unknown = ["EXTRACTOR_MISSING"];
/** Readable where there is time and memory enough. */
const laborious = ["done", ...endless];

const pdfEnds: Readonly<Record<keyof typeof hostilePdfs, readonly string[]>> = {
	gigabyteStream: [...endless, ...blank],
	threefoldStream: [...endless, ...blank],
	pageTreeLoop: damaged,
	lyingCount: damaged,
	deepPageTree: breaking,
	hugePicture: blank,
	hugeJpx: [...blank, ...endless],
	hugeJbig2: [...blank, ...endless],
	actions: ["done"],
	threeThousandScans: [...blank, ...endless],
	hugePage: ["done"],
	millionsOfOperators: endless,
	millionsOfStrokes: endless,
	recursiveForm: blank,
	exponentialForms: ["PROCESS_CRASHED", ...endless],
	deepArray: damaged,
	garbage: damaged,
	empty: blank,
	truncated: damaged,
	twentyThousandPages: laborious,
};

const pictureEnds: Readonly<Record<keyof typeof hostilePictures, readonly string[]>> = {
	hugePng: ["IMAGE_TOO_LARGE"],
	endlessPng: damaged,
	densePng: [...blank, ...endless],
	gifOfManyFrames: [...blank, ...endless],
	loopingTiff: damaged,
};

const textEnds: Readonly<Record<keyof typeof hostileTexts, readonly string[]>> = {
	"line.txt": laborious,
	"invalid-utf-8.txt": ["done"],
	"no-mark.txt": ["done"],
	"lone-surrogates.txt": ["done"],
	"nothing-but-surrogates.txt": damaged,
	"nulls.txt": unknown,
	"words-and-nulls.txt": ["done"],
	"right-to-left.txt": ["done"],
	"combining.txt": ["done"],
	"one-line.csv": laborious,
	"columns.csv": laborious,
	"quote.csv": ["done"],
	"formulas.csv": ["done"],
	"zero-width.txt": ["done"],
	"nested.html": [...damaged, ...endless],
	"nested-bold.html": [...damaged, ...endless],
	"bold-around-much.html": laborious,
	"attributes.html": laborious,
	"unclosed.html": laborious,
	"comments.html": laborious,
	"table.html": [...damaged, ...endless],
	"brackets.md": laborious,
	"links.md": laborious,
	"pictures.md": laborious,
	"quotes.md": ["done"],
	"stars.md": laborious,
	"underscores.md": laborious,
	"backticks.md": laborious,
	"lists.md": laborious,
	"table.md": laborious,
	"references.md": laborious,
	"html.md": laborious,
	"nested.chat.json": blank,
	"nested.json": laborious,
	"turns.chat.txt": ["done"],
	"outside.svg": ["done"],
	"outside.rss": ["done"],
	"quadratic.xml": ["done", ...damaged],
	"entities.xml": ["done"],
};

const bomb = ["OUTPUT_TOO_LARGE", ...endless];

const officeEnds: Readonly<Record<keyof typeof hostileOffice, readonly string[]>> = {
	"bomb.docx": bomb,
	"bomb.xlsx": bomb,
	"bomb.epub": bomb,
	"bomb.pptx": bomb,
	"bomb.odt": bomb,
	"overlapping.docx": ["done", ...damaged],
	"zip64.docx": ["done", ...damaged],
	"laughs.docx": ["done"],
	"nested.docx": damaged,
	"nested.pptx": damaged,
	"circles.docx": ["done"],
	"charts.docx": laborious,
	"holes.docx": damaged,
	"holes.xlsx": damaged,
	"entries.docx": damaged,
	"twice.docx": ["done"],
	"declared.xlsx": ["done"],
	"columns.xlsx": [...laborious, ...bomb],
	"checkered.xlsx": laborious,
	"rows.xlsx": laborious,
	"repeated.ods": bomb,
	"repeated.fods": bomb,
	"nested.fodg": damaged,
	"copies.pages": bomb,
	"length.pages": damaged,
	"slides.key": ["done"],
	"tiles.numbers": ["done"],
	"pages.vsdx": laborious,
	"nested.vsdx": damaged,
	"nested.odt": damaged,
	"spine.epub": laborious,
	"nested.epub": [...breaking, ...endless],
	"encrypted.docx": ["FILE_ENCRYPTED"],
	"old.docx": damaged,
	"groups.rtf": laborious,
	"pictures.rtf": blank,
};

/** Nothing is set up that could listen. */
const unheard = ["TRANSCRIPTION_UNAVAILABLE"];

const mediaEnds: Readonly<Record<keyof typeof hostileMedia, readonly string[]>> = {
	"zero-sizes.mp4": damaged,
	"size-zero.mp4": damaged,
	"exabyte.mp4": damaged,
	"nested.mp4": damaged,
	"samples.mp4": blank,
	"empty-samples.mp4": [...blank, ...endless],
	"million.mp4": laborious,
	"fragments.mp4": [...blank, ...endless],
	"sizes.mkv": blank,
	"nested.mkv": blank,
	"open-clusters.mkv": [...blank, ...endless],
	"open-segments.mkv": [...damaged, ...endless],
	"lacing.mkv": blank,
	"bomb.mkv": [...blank, ...endless],
	"cut.mkv": ["done"],
	"label.mp3": unheard,
	"frames.mp3": unheard,
	"pages.ogg": unheard,
	"million.srt": [...laborious, "OUTPUT_TOO_LARGE"],
	"lines.srt": laborious,
	"arrows.srt": damaged,
	"brackets.vtt": laborious,
	"spans.ttml": damaged,
};

const dataEnds: Readonly<Record<keyof typeof hostileData, readonly string[]>> = {
	"parts.eml": damaged,
	"attachments.eml": laborious,
	"forwarded.eml": ["done"],
	"headers.eml": [...damaged, ...endless],
	"subject.eml": laborious,
	"addressees.eml": laborious,
	"base64.eml": ["done"],
	"quotes.eml": ["done"],
	"page.eml": laborious,
	"mails.mbox": laborious,
	"loop.msg": ["done"],
	"nested.msg": ["done"],
	"noise.msg": [...damaged, ...blank],
	"events.ics": laborious,
	"nested.ics": laborious,
	"folded.ics": laborious,
	"length.emlx": ["done"],
	"lists.json": ["done"],
	"open.json": ["done"],
	"line.json": laborious,
	"names.json": laborious,
	"escapes.json": laborious,
	"broken.ndjson": laborious,
	"kinds.ndjson": laborious,
	"nested.ipynb": damaged,
	"output.ipynb": ["done"],
	"nested.xml": damaged,
	"attributes.xml": laborious,
	"items.rss": laborious,
	"brackets.js": ["done"],
	"levels.py": ["done"],
	"heredocs.sh": ["done"],
	"line.ts": ["done"],
};

/** A ZIP stays one, whatever it is called. */
const zipEnds = {
	lying: ["ARCHIVE_UNREADABLE"],
	climbing: ["done"],
	cut: damaged,
	nested: ["done"],
} as const satisfies Partial<Record<keyof typeof hostileZips, readonly string[]>>;
const sevenZipEnds = {
	bomb: ["done"],
	lying: ["done"],
	countless: damaged,
	farHeader: damaged,
} as const satisfies Record<keyof typeof hostileSevenZips, readonly string[]>;
const zipNames = ["bomb.zip", "bomb.doc", "bomb.txt", "bomb.pdf", "bomb"];

export const hostileFiles: readonly HostileFile[] = [
	{ fileName: "encrypted.pdf", make: () => fixture("encrypted.pdf"), ends: ["FILE_ENCRYPTED"] },
	...["strip.jpg", "strip.webp", "strip.avif", "strip.heic", "strip.tif", "strip.png"].map((fileName) => ({
		fileName,
		make: () => firstHalf(fixture(fileName)),
		ends: [...laborious, ...damaged, ...blank],
	})),
	...["strip.avif", "strip.heic"].map((fileName) => ({
		fileName: `huge-${fileName}`,
		make: () => withSize(fixture(fileName), 60_000),
		ends: ["IMAGE_TOO_LARGE"],
	})),
	...entriesOf(hostilePdfs).map(([name, make]) => ({ fileName: `${name}.pdf`, make, ends: pdfEnds[name] })),
	...entriesOf(hostilePictures).map(([name, make]) => ({ fileName: `${name}.${name.endsWith("Png") ? "png" : "bin"}`, make, ends: pictureEnds[name] })),
	...entriesOf(hostileTexts).map(([name, make]) => ({ fileName: name, make, ends: textEnds[name] })),
	...entriesOf(hostileData).map(([fileName, make]) => ({ fileName, make, ends: dataEnds[fileName] })),
	...entriesOf(hostileOffice).map(([fileName, make]) => ({ fileName, make, ends: officeEnds[fileName] })),
	...entriesOf(hostileMedia).map(([fileName, make]) => ({ fileName, make, ends: mediaEnds[fileName] })),
	...Object.entries(sevenZipEnds).map(([name, ends]) => ({ fileName: `${name}.7z`, make: hostileSevenZips[name as keyof typeof sevenZipEnds], ends })),
	{ fileName: "bomb.tar.bz2", make: hostileZips.bzip2, ends: ["ARCHIVE_UNREADABLE", ...endless] },
	...zipNames.map((fileName) => ({ fileName, make: hostileZips.gigabyte, ends: ["ARCHIVE_UNREADABLE"] })),
	...Object.entries(zipEnds).map(([name, ends]) => ({ fileName: `${name}.zip`, make: hostileZips[name as keyof typeof zipEnds], ends })),
];

/** A picture whose header tells another width and height: they stand behind the name of the property `ispe`, which begins with four zeros. */
function withSize(picture: Uint8Array, pixels: number): Uint8Array {
	const copy = Buffer.from(picture);
	for (let at = copy.indexOf("ispe"); at >= 0; at = copy.indexOf("ispe", at + 4)) {
		copy.writeUInt32BE(pixels, at + 8);
		copy.writeUInt32BE(pixels, at + 12);
	}
	return copy;
}

/** Names that paths, shells and old systems trip over. */
export const hostileNames: readonly string[] = [
	"../../../x",
	"..\\..\\x",
	"/etc/passwd",
	"C:\\x",
	"CON",
	"%2e%2e%2fx",
	"\xc0\xae\xc0\xae/x",
	"x".repeat(300),
	"💥".repeat(40),
	"-rf",
	"$(touch x)",
	"; rm -r x",
	"\u202egpj.exe",
	".",
	"..",
	" ",
];

function firstHalf(bytes: Uint8Array): Uint8Array {
	return bytes.subarray(0, bytes.length >> 1);
}

function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): readonly (readonly [Key, Value])[] {
	return Object.entries(record) as [Key, Value][];
}
