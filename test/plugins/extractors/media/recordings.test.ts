/** Subtitles, lyrics, chapters and names inside of recordings; the contract tests. What has to be heard is in transcription.test.ts. */

import { describe, expect, test } from "bun:test";
import type { Extractor, Fetched, Host, MediaType } from "cairn-memory";
import mediaPlugin from "../../../../plugins/extractors/media/index.ts";
import { aiffOf, chapter, flacOf, mp3Of, narrowText, opusOf, timedLyrics, waveOf, wideLyrics, wideText } from "../../../doubles/audio-files.ts";
import { createHost, startExtractors } from "../../../doubles/extractor-host.ts";
import { element, type MatroskaTrack, matroskaOf, number } from "../../../doubles/matroska-file.ts";
import { type Mp4Track, mp4Of } from "../../../doubles/mp4-file.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const start = () => extractorNamed(mediaPlugin(), "recordings");
const keeper = ["The keeper wrote", "every storm down.", "Nobody asked why."] as const;
const cues = [
	{ begin: 1000, end: 2500, text: keeper[0] },
	{ begin: 2500, end: 4000, text: keeper[1] },
	{ begin: 9000, end: 10_000, text: keeper[2] },
];
const placed = [
	[null, keeper[0], 1, 2.5],
	[null, keeper[1], 2.5, 4],
	[null, keeper[2], 9, 10],
];
const sound: Mp4Track = { handler: "soun", codec: "mp4a", language: "eng", cues: [{ begin: 0, end: 10_000, text: "not words" }] };
const picture: Mp4Track = { handler: "vide", codec: "avc1" };
const texts: Mp4Track = { handler: "sbtl", codec: "tx3g", language: "eng", cues };
const mkvSound: MatroskaTrack = { type: "audio", codec: "A_OPUS", language: "eng" };
const mkvTexts: MatroskaTrack = { type: "subtitles", codec: "S_TEXT/UTF8", language: "eng", cues };

async function look(bytes: Uint8Array, mediaType: MediaType) {
	const { extraction, step } = await read(await start(), bytes, mediaType);
	const blocks = extraction.blocks.map((block) =>
		block.kind === "cue" ? [block.speaker, block.text, ...(block.place.seconds ?? [])] : [block.kind, block.text],
	);
	return { extraction, blocks, warnings: step.warnings.map(({ message }) => message) };
}

/** A service that cannot read what is damaged: the contract tests ask what becomes of damaged bytes, not what an operator has set up. */
async function withDeafService(): Promise<Extractor> {
	const refusal: Fetched = {
		address: new URL("http://127.0.0.1:1/v1/audio/transcriptions"),
		status: 400,
		headers: new Map(),
		claimedMediaType: "application/json",
		charset: null,
		fileName: null,
		bytes: new TextEncoder().encode('{"error":{"message":"Invalid file format."}}'),
	};
	const host: Host = { ...createHost(), fetch: async () => refusal };
	const [, recordings] = await startExtractors(mediaPlugin({ transcription: { url: "http://127.0.0.1:1/v1" } }), host);
	if (recordings === undefined) throw new Error("the plugin has no second extractor");
	return recordings;
}

describe("laws", () => {
	testContract(withDeafService, [
		{ bytes: mp4Of({ tracks: [sound, texts] }), mediaType: "video/mp4", fileName: "a.mp4", words: keeper },
		{
			bytes: matroskaOf({ tracks: [mkvSound, mkvTexts], chapters: [[0, "Storms"]] }),
			mediaType: "video/x-matroska",
			fileName: "a.mkv",
			words: [...keeper, "Storms"],
			headings: ["Storms"],
		},
		{ bytes: mp3Of([["USLT", wideLyrics("eng", "La la\nla")]]), mediaType: "audio/mpeg", fileName: "a.mp3", words: ["La la la"] },
	]);
});

describe("MP4", () => {
	test.each([
		["the movie behind the media", mp4Of({ tracks: [picture, sound, texts] })],
		["the movie first", mp4Of({ tracks: [picture, sound, texts], movieFirst: true })],
		["fragments", mp4Of({ tracks: [picture, texts], isFragmented: true })],
		["WebVTT in boxes", mp4Of({ tracks: [picture, { ...texts, handler: "text", codec: "wvtt" }] })],
		["WebVTT in fragments", mp4Of({ tracks: [picture, { ...texts, handler: "text", codec: "wvtt" }], isFragmented: true })],
	])("%s", async (_, bytes) => {
		const { blocks, extraction } = await look(bytes, "video/mp4");
		expect(blocks).toEqual(placed);
		expect([extraction.type, extraction.language]).toEqual(["video", "en"]);
		expect(extraction.text).toBe("The keeper wrote every storm down.\n\nNobody asked why.");
	});

	test("documents of TTML in samples, each cue once", async () => {
		const document = (...paragraphs: string[]) => `<tt xmlns="http://www.w3.org/ns/ttml"><body><div>${paragraphs.join("")}</div></body></tt>`;
		const first = '<p begin="1s" end="6s">long</p>';
		const track: Mp4Track = {
			handler: "subt",
			codec: "stpp",
			cues: [
				{ begin: 0, end: 5000, text: document(first) },
				{ begin: 5000, end: 9000, text: document(first, '<p begin="7s" end="8s">late</p>') },
			],
		};
		expect((await look(mp4Of({ tracks: [sound, track] }), "video/mp4")).blocks).toEqual([
			[null, "long", 1, 6],
			[null, "late", 7, 8],
		]);
	});

	test("a cue that goes on while others come and go is one", async () => {
		const shown = ["long", "long\n\nshort", "long\n\nother", "other"];
		const track: Mp4Track = { handler: "text", codec: "wvtt", cues: shown.map((text, at) => ({ begin: at * 1000, end: at * 1000 + 1000, text })) };
		expect((await look(mp4Of({ tracks: [sound, track] }), "video/mp4")).blocks).toEqual([
			[null, "long", 0, 3],
			[null, "short", 1, 2],
			[null, "other", 2, 4],
		]);
	});

	test("an edit list moves the cues", async () => {
		expect((await look(mp4Of({ tracks: [{ ...texts, delay: 2000 }] }), "video/mp4")).blocks.map(([, , begin]) => begin)).toEqual([3, 4.5, 11]);
	});

	test("the track in the language of the sound wins, then the enabled one; the others are told", async () => {
		const other = (language: string, more: Partial<Mp4Track> = {}): Mp4Track => ({
			...texts,
			language,
			cues: [{ begin: 0, end: 1000, text: language }],
			...more,
		});
		const { blocks, extraction, warnings } = await look(
			mp4Of({
				tracks: [sound, other("deu", { name: "Deutsch" }), other("eng", { isEnabled: false, name: "spare" }), texts, { handler: "clcp", codec: "c608" }],
			}),
			"video/mp4",
		);
		expect(blocks).toEqual(placed);
		expect(extraction.language).toBe("en");
		expect(warnings).toEqual(['subtitle tracks that were not read: de "Deutsch"; en "spare"; unknown language c608: no text']);
	});

	test("chapters are headings, names are title and description; sound alone is audio", async () => {
		const chapters: Mp4Track = {
			handler: "text",
			codec: "text",
			cues: [
				{ begin: 0, end: 5000, text: "Storms" },
				{ begin: 5000, end: 10_000, text: "Questions" },
			],
		};
		const { blocks, extraction } = await look(
			mp4Of({ tracks: [{ ...sound, chapters: 3 }, texts, chapters], names: { "©nam": "The log", desc: "About storms" } }),
			"audio/mp4",
		);
		expect(blocks).toEqual([["heading", "Storms"], ...placed.slice(0, 2), ["heading", "Questions"], ...placed.slice(2)]);
		expect([extraction.title, extraction.description, extraction.type]).toEqual(["The log", "About storms", "audio"]);
		expect(extraction.blocks.at(-1)?.headings).toEqual(["Questions"]);
	});

	test("lyrics of iTunes", async () => {
		const { blocks, extraction } = await look(
			mp4Of({ tracks: [sound], names: { "©nam": "Storm", "©ART": "Ada", "©alb": "Logs", "©lyr": "one\r\ntwo\r\r\nthree" } }),
			"audio/mp4",
		);
		expect(blocks[0]).toEqual(["caption", "Storm – Ada – Logs"]);
		expect(extraction.text).toContain("one\ntwo");
	});
});

describe("Matroska", () => {
	test.each([
		["plain", matroskaOf({ tracks: [mkvSound, mkvTexts] })],
		["live, without sizes", matroskaOf({ tracks: [mkvSound, mkvTexts], isOpen: true })],
		["deflated", matroskaOf({ tracks: [{ ...mkvTexts, isDeflated: true }] })],
		[
			"SubStation Alpha",
			matroskaOf({ tracks: [{ ...mkvTexts, codec: "S_TEXT/ASS", cues: cues.map((cue) => ({ ...cue, text: `0,0,Default,,0,0,0,,{\\i1}${cue.text}` })) }] }),
		],
		["WebVTT", matroskaOf({ tracks: [{ ...mkvTexts, codec: "S_TEXT/WEBVTT" }] })],
	])("%s", async (_, bytes) => {
		const { blocks, extraction } = await look(bytes, "video/x-matroska");
		expect(blocks).toEqual(placed);
		expect(extraction.language).toBe("en");
	});

	test("WebM's own form, and frames whose beginning is left out", async () => {
		const webm = cues.map((cue) => ({ ...cue, text: `id\nalign:start\n${cue.text}` }));
		expect((await look(matroskaOf({ docType: "webm", tracks: [{ ...mkvTexts, codec: "D_WEBVTT/SUBTITLES", cues: webm }] }), "video/webm")).blocks).toEqual(
			placed,
		);
		const stripped = [{ begin: 0, end: 1000, text: "The end." }];
		expect((await look(matroskaOf({ tracks: [{ ...mkvTexts, stripped: "The ", cues: stripped }] }), "video/x-matroska")).blocks).toEqual([
			[null, "The end.", 0, 1],
		]);
	});

	test("a cue without a duration is shown until the next one, and seven seconds at most", async () => {
		const open = [1000, 3000, 20_000].map((begin, index) => ({ begin, text: `word ${index}.` }));
		expect((await look(matroskaOf({ tracks: [{ ...mkvTexts, cues: open }] }), "video/x-matroska")).blocks.map(([, , begin, end]) => [begin, end])).toEqual([
			[1, 3],
			[3, 10],
			[20, 27],
		]);
	});

	// Of EBML lacing the second size is its difference to the first, counted from the middle: 3, then 3 + 1.
	test.each([
		["Xiph", 0x02, [2, 3, 4], ["one", "four", "more"]],
		["EBML", 0x06, [2, 0x83, 0x80 | (0x3f + 1)], ["one", "four", "sixty"]],
		["equal", 0x04, [2], ["one", "two", "six"]],
	])("laced frames: %s", async (_, flags, sizes, words) => {
		const block = Buffer.concat([Buffer.from([0x81, 0, 0, flags, ...sizes]), Buffer.from(words.join(""))]);
		const track = element(0xae, element(0xd7, number(1)), element(0x83, number(17)), element(0x86, "S_TEXT/UTF8"));
		const segment = element(0x18538067, element(0x1654ae6b, track), element(0x1f43b675, element(0xe7, number(0)), element(0xa3, block)));
		expect((await look(Buffer.concat([element(0x1a45dfa3), segment]), "video/x-matroska")).blocks.map(([, text]) => text)).toEqual(words);
	});

	test("default and forced tracks, pictures of text, a title, chapters and tags", async () => {
		const { blocks, extraction, warnings } = await look(
			matroskaOf({
				title: "The log",
				chapters: [
					[0, "Storms"],
					[5000, "Questions"],
				],
				tags: { DESCRIPTION: "About storms" },
				tracks: [
					mkvSound,
					{ ...mkvTexts, isForced: true, name: "Signs" },
					{ ...mkvTexts, isDefault: false, name: "Other" },
					{ type: "subtitles", codec: "S_HDMV/PGS", language: "ger" },
					mkvTexts,
				],
			}),
			"video/x-matroska",
		);
		expect(blocks).toEqual([["heading", "Storms"], ...placed.slice(0, 2), ["heading", "Questions"], ...placed.slice(2)]);
		expect([extraction.title, extraction.description]).toEqual(["The log", "About storms"]);
		expect(warnings).toEqual(['subtitle tracks that were not read: en "Signs" forced; en "Other"; de S_HDMV/PGS: no text']);
	});
});

describe("audio", () => {
	test("ID3: wide lyrics, names, chapters, and times where the label has them", async () => {
		const names: readonly (readonly [string, Uint8Array])[] = [
			["TIT2", wideText("Storm")],
			["TPE1", narrowText("Ada")],
		];
		const plain = await look(mp3Of([...names, ["USLT", wideLyrics("deu", "eins\nzwei\n\ndrei")]]), "audio/mpeg");
		expect(plain.blocks).toEqual([
			["caption", "Storm – Ada"],
			["paragraph", "eins\nzwei"],
			["paragraph", "drei"],
		]);
		expect([plain.extraction.title, plain.extraction.language, plain.extraction.type]).toEqual(["Storm", "de", "audio"]);
		const sylt = timedLyrics([
			[1000, "one"],
			[1500, " more"],
			[3000, "\ntwo"],
		]);
		const timed = await look(
			mp3Of(
				[
					["SYLT", sylt],
					["CHAP", chapter(2500, "Part two")],
					["USLT", wideLyrics("eng", "left")],
				],
				3,
			),
			"audio/mpeg",
		);
		expect(timed.blocks).toEqual([
			[null, "one more", 1, 3],
			["heading", "Part two"],
			[null, "two", 3, 10],
		]);
	});

	test("labels of formats that are not looked into any further", async () => {
		const frames = [
			["TIT2", wideText("Storm")],
			["USLT", wideLyrics("deu", "eins\nzwei")],
		] as const;
		const { blocks, extraction } = await look(aiffOf(frames), "audio/aiff");
		expect(blocks.at(-1)).toEqual(["paragraph", "eins\nzwei"]);
		expect([extraction.title, extraction.language, extraction.type]).toEqual(["Storm", "de", "audio"]);
	});

	test("Vorbis comments in FLAC, and in Opus over several pages; lyrics with times in them", async () => {
		const flac = await look(flacOf(["TITLE=Storm", "artist=Ada", "LYRICS=one\ntwo"]), "audio/flac");
		expect(flac.blocks).toEqual([
			["caption", "Storm – Ada"],
			["paragraph", "one\ntwo"],
		]);
		const opus = await look(
			opusOf([`METADATA_BLOCK_PICTURE=${"A".repeat(120_000)}`, "LYRICS=[00:01.00]one\n[00:02.00]two", "CHAPTER001=00:00:02.000", "CHAPTER001NAME=Late"]),
			"audio/ogg",
		);
		expect(opus.blocks).toEqual([
			[null, "one", 1, 2],
			["heading", "Late"],
			[null, "two", 2, 9],
		]);
	});
});

test("without words inside and without a service the failure says what to do; a file that is broken, or silent, says that", async () => {
	const extractor = await start();
	const code = (bytes: Uint8Array, mediaType: MediaType) => codeOf(read(extractor, bytes, mediaType));
	expect(await code(mp4Of({ tracks: [picture, sound] }), "video/mp4")).toBe("TRANSCRIPTION_UNAVAILABLE");
	expect(await code(waveOf({ INAM: "Storm" }), "audio/wav")).toBe("TRANSCRIPTION_UNAVAILABLE");
	expect(await code(new Uint8Array([1, 2, 3]), "video/x-msvideo")).toBe("TRANSCRIPTION_UNAVAILABLE");
	expect(await code(mp4Of({ tracks: [picture] }), "video/mp4")).toBe("CONTENT_EMPTY");
	expect(await code(mp4Of({ tracks: [sound] }).subarray(0, 60), "video/mp4")).toBe("FILE_BROKEN");
	expect(await code(new Uint8Array(), "video/mp4")).toBe("CONTENT_EMPTY");
});
