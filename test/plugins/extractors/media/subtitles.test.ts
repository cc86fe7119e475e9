/** Subtitle files: times, voices, marks, what is damaged, rolling captions, the contract tests. */

import { describe, expect, test } from "bun:test";
import type { MediaType } from "cairn-memory";
import mediaPlugin from "../../../../plugins/extractors/media/index.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const start = () => extractorNamed(mediaPlugin(), "subtitles");
const srt = "application/x-subrip";
const vtt = "text/vtt";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const film = `1\r
00:00:01,000 --> 00:00:02,500\r
The lighthouse keeper wrote\r
every storm\r
\r
2\r
00:00:02,600 --> 00:00:04,000 X1:10 X2:20\r
<i>into a blue</i> {\\an8}notebook.\r
\r
3\r
00:00:09,000 --> 00:00:10,000\r
Nobody asked why.\r
`;
const talk = `WEBVTT - Two voices
Kind: captions
Language: en

NOTE
nobody says this

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.000 align:start position:0%
<v.first.loud Esme>It is a blue &amp; green tree!

00:02.000 --> 00:04.000
<v Mary>No <c.yellow>way</c>!</v> <v Esme>Hee!
`;

describe("laws", () => {
	testContract(start, [
		{ bytes: utf8(film), mediaType: srt, fileName: "film.srt", words: ["The lighthouse keeper wrote every storm into a blue notebook. Nobody asked why."] },
		{ bytes: utf8(talk), mediaType: vtt, fileName: "talk.vtt", words: ["It is a blue & green tree! No way! Hee!"] },
	]);
});

async function cuesOf(content: Uint8Array | string, mediaType: MediaType = srt) {
	const { extraction } = await read(await start(), content, mediaType);
	return extraction.blocks.map((block) => (block.kind === "cue" ? [block.speaker, block.text, ...(block.place.seconds ?? [])] : [block.kind]));
}

test("each cue keeps its seconds, and a sentence over two of them reads as one", async () => {
	expect(await cuesOf(film)).toEqual([
		[null, "The lighthouse keeper wrote every storm", 1, 2.5],
		[null, "into a blue notebook.", 2.6, 4],
		[null, "Nobody asked why.", 9, 10],
	]);
	const { extraction } = await read(await start(), film, srt);
	expect(extraction.text).toBe("The lighthouse keeper wrote every storm into a blue notebook.\n\nNobody asked why.");
	expect(extraction.blocks.map(({ place: { span } }) => extraction.text.slice(...(span ?? [])))).toEqual(extraction.blocks.map(({ text }) => text));
});

test("WebVTT: voices, entities, a title and a language, and nothing of its notes and styles", async () => {
	expect(await cuesOf(talk, vtt)).toEqual([
		["Esme", "It is a blue & green tree!", 1, 2],
		["Mary", "No way!", 2, 4],
		["Esme", "Hee!", 2, 4],
	]);
	const { extraction } = await read(await start(), talk, vtt);
	expect([extraction.title, extraction.language, extraction.type]).toEqual(["Two voices", "en", "text"]);
	expect(extraction.text).toBe("**Esme:** It is a blue & green tree!\n\n**Mary:** No way!\n\n**Esme:** Hee!");
});

test("names are found behind dashes and arrows and in capitals, and other colons are left alone", async () => {
	const cue = (text: string) => cuesOf(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`).then((cues) => cues.map(([speaker, words]) => [speaker, words]));
	expect(await cue("- Ada: Where to?\n- Home.")).toEqual([
		["Ada", "Where to?"],
		[null, "Home."],
	]);
	expect(await cue(">> DR. SMITH: Sit down.")).toEqual([["DR. SMITH", "Sit down."]]);
	expect(await cue("WOMAN 2 (on phone): Hello?")).toEqual([["WOMAN 2 (on phone)", "Hello?"]]);
	expect(await cue("WOMAN 2: Hello?")).toEqual([["WOMAN 2", "Hello?"]]);
	expect(await cue("He said: come at 10:30.")).toEqual([[null, "He said: come at 10:30."]]);
	expect(await cue("-5 degrees, I <3 it, a < b <laughs>")).toEqual([[null, "-5 degrees, I <3 it, a < b <laughs>"]]);
});

test("files that people write: dots, no hours, no numbers, no blank lines, blank lines inside, numbers as words", async () => {
	const wild =
		"00:01.5 --> 00:02.25\none\n\nstill one\n00:00:03.000-->00:00:04.000\n10\n\n7\n00:00:05,000 --> 00:00:04,000\nends early\n8\n01:00:00,000 --> 01:00:01,000\nlast";
	expect(await cuesOf(wild)).toEqual([
		[null, "one still one", 1.5, 2.25],
		[null, "10", 3, 4],
		[null, "ends early", 5, 5],
		[null, "last", 3600, 3601],
	]);
});

test("a time that cannot be read loses no words, and is remarked", async () => {
	const { extraction, step } = await read(
		await start(),
		"1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n00:0x:02,000 --> 00:00:03\ntwo\n\n3\n00:00:04,000 --> 00:00:05,000\nthree",
		srt,
	);
	expect(extraction.blocks.map(({ text, place }) => [text, place.seconds?.[0]])).toEqual([
		["one", 1],
		["two", undefined],
		["three", 4],
	]);
	expect(step.warnings.map(({ code }) => code)).toEqual(["TIMES_BROKEN"]);
	expect(await codeOf(read(await start(), "just words", srt))).toBe("none");
	expect(await codeOf(read(await start(), "WEBVTT\n\nNOTE only this", vtt))).toBe("FILE_BROKEN");
	expect(await codeOf(read(await start(), " \n", srt))).toBe("CONTENT_EMPTY");
});

test("YouTube's rolling captions are each line once", async () => {
	const rolling = `WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.000 align:start position:0%
 
the<00:00:00.500><c> keeper</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
the keeper
 

00:00:02.010 --> 00:00:04.000 align:start position:0%
the keeper
wrote<00:00:02.500><c> storms</c>

00:00:04.000 --> 00:00:04.010 align:start position:0%
wrote storms
 

00:00:04.010 --> 00:00:06.000 align:start position:0%
wrote storms
in<00:00:05.000><c> blue</c>

00:00:06.000 --> 00:00:06.010 align:start position:0%
in blue
 

00:00:06.010 --> 00:00:08.000 align:start position:0%
in blue
ink
`;
	expect(await cuesOf(rolling, vtt)).toEqual([
		[null, "the keeper", 0, 2.01],
		[null, "wrote storms", 2.01, 4.01],
		[null, "in blue", 4.01, 6.01],
		[null, "ink", 6.01, 8],
	]);
});

test("a cue twice in one place is one, a refrain is not, and overlapping voices stand in order", async () => {
	const at = (begin: number, end: number, text: string) =>
		`00:00:${String(begin).padStart(2, "0")},000 --> 00:00:${String(end).padStart(2, "0")},000\n${text}\n\n`;
	expect(await cuesOf(at(1, 2, "no") + at(2, 3, "no") + at(9, 10, "no"))).toEqual([
		[null, "no", 1, 3],
		[null, "no", 9, 10],
	]);
	expect(await cuesOf(at(5, 6, "late") + at(1, 4, "long") + at(2, 3, "inside"))).toEqual([
		[null, "long", 1, 4],
		[null, "inside", 2, 3],
		[null, "late", 5, 6],
	]);
});

test("other encodings, and no blanks between Chinese signs", async () => {
	expect(await cuesOf(new Uint8Array(Buffer.from("\ufeff1\n00:00:01,000 --> 00:00:02,000\nПривет\n", "utf16le")))).toEqual([[null, "Привет", 1, 2]]);
	const iso = Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nCe n'est pas la peine, dit le gardien du phare, il était déjà là.\n", "latin1");
	expect((await cuesOf(new Uint8Array(iso)))[0]?.[1]).toBe("Ce n'est pas la peine, dit le gardien du phare, il était déjà là.");
	expect(await cuesOf("1\n00:00:01,000 --> 00:00:02,000\n灯台守は\n嵐を\n")).toEqual([[null, "灯台守は嵐を", 1, 2]]);
});

test("SubStation Alpha: names, breaks, and no drawings", async () => {
	const ass = `[Script Info]
Title: Storms
[V4+ Styles]
Format: Name, Fontname
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,not said
Dialogue: 0,0:00:03.50,0:00:04.00,Default,,0,0,0,,{\\an8}second, with\\Ncomma
Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ada,0,0,0,,first{\\p1}m 0 0 l 9 9{\\p0}`;
	expect(await cuesOf(ass, "text/x-ssa")).toEqual([
		["Ada", "first", 1, 2],
		[null, "second, with comma", 3.5, 4],
	]);
});

test("TTML: clocks, frames, ticks, breaks, agents, and times of the element around", async () => {
	const ttml = `<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="en" ttp:frameRate="25" ttp:tickRate="1000">
<head><metadata><ttm:title>Storms</ttm:title><ttm:agent xml:id="a"><ttm:name>Ada</ttm:name></ttm:agent></metadata></head>
<body><div begin="10s"><p begin="00:00:01.500" end="00:00:02:05" ttm:agent="a">one<br/>two &amp;
 three</p><p begin="3000t" dur="500ms">four</p></div></body></tt>`;
	expect(await cuesOf(ttml, "application/ttml+xml")).toEqual([
		["Ada", "one two & three", 11.5, 12.2],
		[null, "four", 13, 13.5],
	]);
	const { extraction } = await read(await start(), ttml, "application/ttml+xml");
	expect([extraction.title, extraction.language]).toEqual(["Storms", "en"]);
});

test("lyrics with times, and YouTube's own format", async () => {
	expect(await cuesOf("[ti:Storms]\n[offset:500]\n[00:02.50]<00:02.50>two\n[00:01.50][00:09.00]one\n[00:04.50]\n", "text/x-lrc")).toEqual([
		[null, "one", 1, 2],
		[null, "two", 2, 4],
		[null, "one", 8.5, 15.5],
	]);
	expect(await cuesOf("0:00:01.000,0:00:02.000\n>> Ada: hi\n\n0:00:03.000,0:00:04.000\nyou\n", "text/x-sbv")).toEqual([
		["Ada", "hi", 1, 2],
		[null, "you", 3, 4],
	]);
});

test("a file's name may tell the language", async () => {
	const { extraction } = await read(await start(), film, srt, { fileName: "film.pt-BR.srt" });
	expect(extraction.language).toBe("pt-BR");
});
