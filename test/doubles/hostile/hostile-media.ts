/** Recordings and subtitles whose sizes lie, that nest without end, or hold a million of whatever there should be one of. */

import { deflateSync } from "node:zlib";
import { mp3Of } from "../audio-files.ts";
import { element, idOf, matroskaOf, number, openElement } from "../matroska-file.ts";
import { box, mp4Of, u16, u32 } from "../mp4-file.ts";

const million = 1_000_000;
const head = box("ftyp", "isom", u32(512), "isom");
const mkvHead = element(0x1a45dfa3, element(0x4282, "matroska"));
const cues = [{ begin: 0, end: 1000, text: "words" }];
const textTrack = element(0xae, element(0xd7, number(1)), element(0x83, number(17)), element(0x86, "S_TEXT/UTF8"));
const packedTrack = element(
	0xae,
	element(0xd7, number(1)),
	element(0x83, number(17)),
	element(0x86, "S_TEXT/UTF8"),
	element(0x6d80, element(0x6240, element(0x5034, element(0x4254, number(0))))),
);

export const hostileMedia = {
	"zero-sizes.mp4": () => Buffer.concat([head, Buffer.alloc(million)]),
	"size-zero.mp4": () => Buffer.concat([head, u32(0), Buffer.from("moov"), u32(0), Buffer.from("trak"), u32(0), Buffer.from("mdia")]),
	"exabyte.mp4": () => Buffer.concat([head, u32(1), Buffer.from("mdat"), u32(2 ** 28, 0), mp4Of({ tracks: [{ handler: "sbtl", codec: "tx3g", cues }] })]),
	"nested.mp4": () => nestedBoxes(5_000),
	"samples.mp4": () => movieOf(u32(0, 1, 0xffffffff, 0), u32(0, 1, 1, 0xffffffff, 1), u32(0, 1, 0xffffffff), u32(0, 1, 0)),
	"empty-samples.mp4": () =>
		movieOf(u32(0, 1, 0xffffffff, 0), u32(0, 1, 1, 0xffffffff, 1), Buffer.concat([u32(0, 0, million), Buffer.alloc(4 * million)]), u32(0, 1, 0)),
	"million.mp4": () =>
		movieOf(
			u32(0, 1, million, 1),
			u32(0, 1, 1, million, 1),
			u32(0, 4, million),
			u32(0, 1, 36),
			box("mdat", Buffer.alloc(4 * million, Buffer.from([0, 2, 0x61, 0x62]))),
		),
	"fragments.mp4": () =>
		Buffer.concat([
			mp4Of({ tracks: [{ handler: "sbtl", codec: "tx3g" }], isFragmented: true }),
			...Array.from({ length: 2_000 }, () => box("moof", box("traf", box("tfhd", u32(0x020000, 1)), box("trun", u32(0, 0xffffffff))))),
		]),
	"sizes.mkv": () =>
		Buffer.concat([
			mkvHead,
			idOf(0x18538067),
			Buffer.from([0x01, 0x10, 0, 0, 0, 0, 0, 0]),
			element(0x1654ae6b, textTrack),
			idOf(0x1f43b675),
			Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe]),
		]),
	"nested.mkv": () =>
		Buffer.concat([mkvHead, openElement(0x18538067, element(0x1654ae6b, textTrack), element(0x1043a770, element(0x45b9, nestedAtoms(3_000))))]),
	"open-clusters.mkv": () =>
		Buffer.concat([mkvHead, openElement(0x18538067, element(0x1654ae6b, textTrack), Buffer.concat(Array<Uint8Array>(million).fill(openElement(0x1f43b675))))]),
	"open-segments.mkv": () => Buffer.concat([mkvHead, Buffer.concat(Array<Uint8Array>(million).fill(openElement(0x18538067)))]),
	"lacing.mkv": () =>
		Buffer.concat([mkvHead, element(0x18538067, element(0x1654ae6b, textTrack), element(0x1f43b675, ...[0x02, 0x04, 0x06].map((flags) => laced(flags))))]),
	"bomb.mkv": () => {
		const bomb = Buffer.concat([Buffer.from([0x81, 0, 0, 0]), deflateSync(Buffer.alloc(10 * million, 0x61))]);
		return Buffer.concat([
			mkvHead,
			element(0x18538067, element(0x1654ae6b, packedTrack), element(0x1f43b675, ...Array<Uint8Array>(2_000).fill(element(0xa3, bomb)))),
		]);
	},
	"cut.mkv": () => matroskaOf({ tracks: [{ type: "subtitles", codec: "S_TEXT/UTF8", cues }] }).subarray(0, 90),
	"label.mp3": () => Buffer.concat([Buffer.from("ID3\x03\0\0\x7f\x7f\x7f\x7fUSLT", "latin1"), u32(0xffffffff), Buffer.alloc(million, 0x01)]),
	"frames.mp3": () => mp3Of(Array.from({ length: 100_000 }, () => ["TXXX", u16(0)] as const)),
	"pages.ogg": () => Buffer.concat(Array.from({ length: 200_000 }, () => Buffer.concat([Buffer.from("OggS"), Buffer.alloc(23)]))),
	"million.srt": () => Buffer.from(Array.from({ length: million }, (_, at) => `${at}\n00:00:00,000 --> 00:00:00,000\nw${at}\n`).join("\n")),
	"lines.srt": () => Buffer.from(`1\n00:00:00,000 --> 00:00:01,000\n${"a\n".repeat(million)}`),
	"arrows.srt": () => Buffer.from(`1\n00:00:00,000 --> 00:00:01,000\n${"1 --> ".repeat(200_000)}${"\n1 -->".repeat(200_000)}`),
	"brackets.vtt": () =>
		Buffer.from(`WEBVTT\n\n00:00.000 --> 00:01.000\n${"<v ".repeat(300_000)}${"<".repeat(million)}${"{\\".repeat(300_000)}${"&#".repeat(300_000)}`),
	"spans.ttml": () => Buffer.from(`<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="0s">${"<span>".repeat(100_000)}words`),
} as const satisfies Record<string, () => Uint8Array>;

/** A movie with one text track made of these tables. */
function movieOf(durations: Uint8Array, chunks: Uint8Array, sizes: Uint8Array, offsets: Uint8Array, media: Uint8Array = new Uint8Array()): Uint8Array {
	const tables = [box("stsd", u32(0, 1), box("tx3g", Buffer.alloc(30))), box("stts", durations), box("stsc", chunks), box("stsz", sizes), box("stco", offsets)];
	const track = box(
		"trak",
		box("tkhd", u32(1, 0, 0, 1, 0, 0), Buffer.alloc(60)),
		box("mdia", box("mdhd", u32(0, 0, 0, 1000, 0, 0)), box("hdlr", u32(0, 0), "sbtl", Buffer.alloc(13)), box("minf", box("stbl", ...tables))),
	);
	return Buffer.concat([head, media, box("moov", box("mvhd", u32(0, 0, 0, 1000, 0), Buffer.alloc(80)), track)]);
}

function nestedBoxes(depth: number): Uint8Array {
	let inner = box("moov");
	for (let level = 0; level < depth; level++) inner = box("moov", inner);
	return Buffer.concat([head, inner]);
}

function nestedAtoms(depth: number): Uint8Array {
	let inner = element(0xb6, element(0x91, number(0)));
	for (let level = 0; level < depth; level++) inner = element(0xb6, inner);
	return inner;
}

/** A hundred frames are promised, and there is room for none of them. */
function laced(flags: number): Uint8Array {
	return element(0xa3, Buffer.concat([Buffer.from([0x81, 0, 0, flags, 99]), Buffer.alloc(20, 0xff)]));
}
