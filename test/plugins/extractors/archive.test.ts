/** The archive extractor: ZIP, 7z, RAR, TAR, GZIP and bzip2, names in old encodings, what is damaged, and what is made to fill a disk. */

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type Extractor, limits, type MediaType } from "cairn-memory";
import archivePlugin from "../../../plugins/extractors/archive/index.ts";
import archiveEngine from "../../../plugins/formats/archive/archive-engine.ts";
import { hostileSevenZips } from "../../doubles/hostile/hostile-seven-zips.ts";
import { hostileZips } from "../../doubles/hostile/hostile-zips.ts";
import { rarOf } from "../../doubles/rar-of.ts";
import { sevenZips } from "../../doubles/seven-zips.ts";
import { tarOf } from "../../doubles/tar-of.ts";
import { zipOf, zipOfParts } from "../../doubles/zip-of.ts";
import { codeOf, extractorNamed, read, testContract } from "./samples.ts";

const start = (): Promise<Extractor> => extractorNamed(archivePlugin(), "archive");
const types = {
	zip: "application/zip",
	tar: "application/x-tar",
	gzip: "application/gzip",
	bzip2: "application/x-bzip2",
	"7z": "application/x-7z-compressed",
	rar: "application/x-rar-compressed",
} as const satisfies Record<string, MediaType>;

const files = { "notes/tide.txt": "The tide turns.", "crew.csv": "name,years\nSiri,7" };
const words = ["notes/tide.txt", "crew.csv"];

async function takeOut(bytes: Uint8Array, mediaType: MediaType, fileName: string | null = null) {
	const { extraction, step } = await read(await start(), bytes, mediaType, { fileName });
	return {
		text: extraction.text,
		files: step.attachments.map(({ path, bytes: inside }) => [path, Buffer.from(inside).toString()]),
		warnings: step.warnings.map(({ code, message }) => `${code} ${message}`),
		codes: step.warnings.map(({ code }) => code),
	};
}

describe("laws of archives", () => {
	testContract(start, [
		{ bytes: zipOf(files), mediaType: types.zip, fileName: "a.zip", words, headings: [] },
		{ bytes: tarOf(files), mediaType: types.tar, fileName: "a.tar", words, headings: [] },
		{ bytes: gzipSync(tarOf(files)), mediaType: types.gzip, fileName: "a.tgz", words, headings: [] },
		{ bytes: sevenZips.solid, mediaType: types["7z"], fileName: "a.7z", words, headings: [] },
		{ bytes: rarOf(files), mediaType: types.rar, fileName: "a.rar", words, headings: [] },
	]);
});

test.each([
	[zipOf(files), types.zip],
	[tarOf(files), types.tar],
	[gzipSync(tarOf(files)), types.gzip],
])("every file is handed over, the archive is their list", async (bytes, mediaType) => {
	const { text, files: found, warnings } = await takeOut(bytes, mediaType);
	expect([text, warnings]).toEqual(["- notes/tide.txt\n- crew.csv", []]);
	expect(found).toEqual(Object.entries(files));
});

test("many files come in several parts, each once and in order", async () => {
	const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`${at}.txt`, `Number ${at}.`]));
	expect((await takeOut(zipOf(many), types.zip)).files).toEqual(Object.entries(many));
});

test("folders and what systems leave behind are no files; links are not followed", async () => {
	const litter = { "a/": "", "__MACOSX/._a.txt": "x", ".DS_Store": "x", "b/Thumbs.db": "x", "b/._c": "x", "a/link": "../../etc/passwd", "a.txt": "Words." };
	const zip = zipOf(litter);
	const name = Buffer.from(zip).lastIndexOf("a/link");
	zip[name - 46 + 5] = 3; // made on Unix
	zip[name - 46 + 41] = 0xa1; // as a link
	expect((await takeOut(zip, types.zip)).files).toEqual([["a.txt", "Words."]]);
});

test("names are UTF-8 or what DOS wrote", async () => {
	const zip = zipOf({ "k?se.txt": "Old.", "käse.txt": "New." });
	for (const [at, byte] of zip.entries()) if (byte === 0x3f && zip[at - 1] === 0x6b) zip[at] = 0x84;
	expect((await takeOut(zip, types.zip)).files).toEqual([
		["käse.txt", "Old."],
		["käse.txt", "New."],
	]);
});

test("a packed file alone has the name it had, or that of the archive without its ending", async () => {
	const named = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.from("keeper.log\0"), gzipSync("Slept.").subarray(10)]);
	expect((await takeOut(named, types.gzip, "x.gz")).files).toEqual([["keeper.log", "Slept."]]);
	expect((await takeOut(gzipSync("Slept."), types.gzip, "night.log.gz")).files).toEqual([["night.log", "Slept."]]);
	expect((await takeOut(gzipSync("Slept."), types.gzip)).files).toEqual([["unpacked", "Slept."]]);
});

describe("damage", () => {
	test("of one file leaves the others", async () => {
		const zip = zipOf({ "a.txt": "Good words.", "b.txt": "Bad words that are packed and then broken." });
		const at = Buffer.from(zip).indexOf("b.txt") + 5;
		zip.fill(0xff, at, at + 8);
		const { files: found, warnings } = await takeOut(zip, types.zip);
		expect(found).toEqual([["a.txt", "Good words."]]);
		expect(warnings).toEqual(["MEMBERS_UNREAD 1 of 2 files were left out, damaged, or compressed with an unsupported method: b.txt"]);
	});

	test("at the end of a ZIP costs only what is there", async () => {
		const zip = zipOf({ "a.txt": "First.", "b.txt": "Second." });
		expect((await takeOut(zip.subarray(0, zip.length - 80), types.zip)).files[0]).toEqual(["a.txt", "First."]);
	});

	test("of a header in a TAR costs its file, and of the only one all", async () => {
		const tar = tarOf({ "a.txt": "First.", "b.txt": "Second.", "c.txt": "Third." });
		tar[1024] = 0x7a;
		const { files: found, codes } = await takeOut(tar, types.tar);
		expect([found.map(([path]) => path), codes]).toEqual([["a.txt", "c.txt"], ["ARCHIVE_CUT"]]);
		const only = tarOf({ "a.txt": "First." });
		only[0] = 0x7a;
		expect(await codeOf(takeOut(only, types.tar))).toBe("FILE_BROKEN");
	});

	test("that leaves nothing of any file is told as such", async () => {
		expect(await codeOf(takeOut(hostileZips.cut(), types.zip))).toBe("FILE_BROKEN");
	});

	test("at the end of a TAR in GZIP is remarked", async () => {
		const noise = Uint8Array.from({ length: 40_000 }, (_, at) => (at * at * 31 + (at >> 3)) & 0xff);
		const packed = gzipSync(tarOf({ "a.txt": "First.", "noise.bin": noise }));
		const { files: found, codes } = await takeOut(packed.subarray(0, packed.length / 2), types.gzip);
		expect(found).toEqual([["a.txt", "First."]]);
		expect(codes).toEqual(["MEMBERS_UNREAD", "ARCHIVE_CUT"]);
	});
});

describe("what is made to fill a disk", () => {
	test("a bomb is not taken out, whatever its headers say", async () => {
		for (const bomb of [hostileZips.gigabyte(), hostileZips.lying()]) expect(await codeOf(takeOut(bomb, types.zip))).toBe("ARCHIVE_UNREADABLE");
	});

	test("beside honest files it costs only itself", async () => {
		const zip = zipOfParts([
			{ name: "honest.txt", content: "Honest words." },
			{ name: "bomb.txt", content: new Uint8Array(60 * 2 ** 20) },
		]);
		const { files: found, warnings } = await takeOut(zip, types.zip);
		expect(found).toEqual([["honest.txt", "Honest words."]]);
		expect(warnings[0]).toContain("too large, or compressed far more than normal files are: bomb.txt");
	});

	test("all files together have a bound", async () => {
		const big = new Uint8Array(2 ** 20);
		// Stored as it is under this name.
		const zip = zipOfParts(Array.from({ length: 3 }, () => ({ name: "mimetype", content: big })));
		const state = { nextEntry: 0, extractedCount: 5, bytes: limits.attachmentBytesMax - 2 ** 20, omitted: [] };
		const part = await archiveEngine({ bytes: zip, format: "zip", fileName: null, state }, () => undefined, { timeoutMs: 1_000, memoryMb: 100 });
		expect([part.attachments.length, part.state.extractedCount, part.state.bytes]).toEqual([1, 6, limits.attachmentBytesMax]);
		expect(part.reading?.warnings[0]?.message).toStartWith("2 of 3 files were left out, too large");
	});

	test("files that lie over each other are taken out once", async () => {
		const zip = zipOf({ "a.txt": "The only words.", "b.txt": "The only words." });
		const second = Buffer.from(zip).lastIndexOf("b.txt") - 4;
		new DataView(zip.buffer).setUint32(second, 0, true); // its header is that of the first
		const { files: found, warnings } = await takeOut(zip, types.zip);
		expect(found).toEqual([["a.txt", "The only words."]]);
		expect(warnings[0]).toContain("overlapping other files");
	});

	test("more files than an archive may have are left out, a million are refused", async () => {
		const many = await takeOut(zipOfParts(Array.from({ length: limits.attachmentsMax + 5 }, (_, at) => ({ name: `${at}.txt`, content: "x" }))), types.zip);
		expect([many.files.length, many.codes]).toEqual([limits.attachmentsMax, ["MEMBERS_UNREAD"]]);
		const entry = Buffer.from(zipOf({ a: "" }));
		const listed = entry.subarray(entry.indexOf("PK\x01\x02"), entry.indexOf("PK\x05\x06"));
		const million = Buffer.concat([entry.subarray(0, entry.indexOf("PK\x01\x02")), ...Array.from({ length: 1_000_000 }, () => listed), entry.subarray(-22)]);
		expect(await codeOf(takeOut(million, types.zip))).toBe("FILE_BROKEN");
	}, 120_000);

	test("a TAR that says it goes on for ever ends where its bytes do", async () => {
		const tar = tarOf({ "a.txt": "Words.", "endless.txt": "x" });
		const header = Buffer.from(tar.buffer).indexOf("endless.txt");
		Buffer.from(tar.buffer).write("77777777777", header + 124);
		expect((await takeOut(tar, types.tar)).files).toEqual([["a.txt", "Words."]]);
	});
});

describe("bzip2", () => {
	/** "The keeper slept. Nobody woke him." and the end of the line. */
	const note = Buffer.from("QlpoOTFBWSZTWXd5llsAAATXgAAQQAEAAQQAFm7coCAAIiZBoDAhTCaaA0xCAwWUgzYFQdM6ZwZRDPPKY2M/F3JFOFCQd3mWWw==", "base64");

	test("is one file, called like the archive, and may be of several streams", async () => {
		expect((await takeOut(note, types.bzip2, "note.txt.bz2")).files).toEqual([["note.txt", "The keeper slept. Nobody woke him.\n"]]);
		expect((await takeOut(Buffer.concat([note, note]), types.bzip2)).files).toEqual([["unpacked", "The keeper slept. Nobody woke him.\n".repeat(2)]]);
	});

	test("that breaks off is read as far as it goes, with a remark; noise is broken", async () => {
		const cut = await takeOut(Buffer.concat([note, note.subarray(0, 40)]), types.bzip2, "note.txt.bz2");
		expect([cut.files.length, cut.codes]).toEqual([1, ["ARCHIVE_CUT"]]);
		expect(await codeOf(takeOut(Buffer.from("BZh91AY&SY is no archive"), types.bzip2))).toBe("FILE_BROKEN");
	});

	test("that inflates to gigabytes is ended", async () => {
		expect(await codeOf(takeOut(hostileZips.bzip2(), types.bzip2))).toBe("ARCHIVE_UNREADABLE");
	}, 120_000);
});

describe("7z and RAR", () => {
	test("every file of a 7z is handed over, though all are compressed as one; folders and links are none", async () => {
		for (const bytes of [sevenZips.solid, sevenZips.withLinks]) {
			const { text, files: found, warnings } = await takeOut(bytes, types["7z"]);
			expect([text, warnings]).toEqual(["- crew.csv\n- notes/tide.txt", []]);
			expect(found).toEqual(Object.entries(files).toReversed());
		}
	});

	test("many files of a RAR come in several parts, each once and in order", async () => {
		const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`${at}.txt`, `Number ${at}.`]));
		expect((await takeOut(rarOf(many), types.rar)).files).toEqual(Object.entries(many));
	});

	test("with a password are told as such, whether the names can be seen or not", async () => {
		for (const bytes of [sevenZips.locked, sevenZips.lockedNames]) expect(await codeOf(takeOut(bytes, types["7z"]))).toBe("FILE_ENCRYPTED");
	});

	test("a file of a RAR with a password is left out, the others are read", async () => {
		const { files: found, warnings } = await takeOut(rarOf({ "open.txt": "Open words.", "locked.txt": "Closed words." }, ["locked.txt"]), types.rar);
		expect(found).toEqual([["open.txt", "Open words."]]);
		expect(warnings).toEqual(["MEMBERS_UNREAD 1 of 2 files were left out, protected by a password: locked.txt"]);
	});

	test("names lead nowhere", async () => {
		const { files: found } = await takeOut(rarOf({ "../../etc/passwd": "Words.", "/etc/shadow": "More." }), types.rar);
		expect(found.map(([path]) => path)).toEqual(["../../etc/passwd", "/etc/shadow"]);
	});

	test("cut anywhere they end as broken, or with what comes before", async () => {
		for (const [bytes, mediaType] of [
			[sevenZips.solid, types["7z"]],
			[rarOf(files), types.rar],
		] as const) {
			for (let length = 8; length < bytes.length; length += 7) {
				const cut = await takeOut(bytes.slice(0, length), mediaType).catch(({ code }) => code);
				expect(typeof cut === "string" ? cut : cut.files[0]).toBeOneOf(["FILE_BROKEN", "CONTENT_EMPTY", ["notes/tide.txt", "The tide turns."]]);
			}
		}
	}, 60_000);

	test("bytes that are turned never come out as another text: each file has its checksum", async () => {
		const bytes = sevenZips.solid;
		for (let at = 32; at < bytes.length; at += 5) {
			const turned = bytes.slice();
			turned[at] = (turned[at] ?? 0) ^ 0x55;
			const found = await takeOut(turned, types["7z"]).catch(() => ({ files: [] }));
			for (const [, text] of found.files) expect(text).toBeOneOf(Object.values(files));
		}
	}, 60_000);

	test("a bomb is not taken out, and costs only itself", async () => {
		for (const [bytes, remarked] of [
			[hostileSevenZips.bomb(), ["MEMBERS_UNREAD"]],
			[hostileSevenZips.lying(), ["MEMBERS_UNREAD", "ARCHIVE_CUT"]],
		] as const) {
			const { files: found, warnings, codes } = await takeOut(bytes, types["7z"]);
			expect([found, codes]).toEqual([[["crew.csv", "name,years\nSiri,7"]], [...remarked]]);
			expect(warnings[0]).toContain("too large, or compressed far more than normal files are: zeros");
		}
	});

	test("a file that is too large hides none behind it, as long as the way there is short enough", async () => {
		const dumped = { "dump.sql": "Rows.", "a.txt": "Words." };
		const { files: found, warnings } = await takeOut(rarOf(dumped, [], { "dump.sql": 300_000_000 }), types.rar);
		expect(found).toEqual([["a.txt", "Words."]]);
		expect(warnings).toEqual(["MEMBERS_UNREAD 1 of 2 files were left out, too large, or compressed far more than normal files are: dump.sql"]);
		expect(await codeOf(takeOut(rarOf(dumped, [], { "dump.sql": 2 ** 31 }), types.rar))).toBe("ARCHIVE_UNREADABLE");
	});

	test("of a solid RAR from before RAR5 the first file is read, and the remark says why no other is", async () => {
		const { files: found, warnings } = await takeOut(rarOf({ "a.txt": "First.", "b.txt": "Second." }, [], {}, true), types.rar);
		expect([found, warnings.length]).toEqual([[["a.txt", "First."]], 1]);
		expect(warnings[0]).toStartWith("ARCHIVE_SOLID only its beginning was read: the archive is a solid RAR from before RAR5");
		expect(await codeOf(takeOut(rarOf({ "a.txt": "", "b.txt": "Second." }, [], {}, true), types.rar))).toBe("ARCHIVE_UNREADABLE");
	});

	test("more files or a longer way than there can be are not believed", async () => {
		for (const name of ["countless", "farHeader"] as const) expect(await codeOf(takeOut(hostileSevenZips[name](), types["7z"]))).toBe("FILE_BROKEN");
	});

	test("a RAR that declares more than it has is broken, or too large", async () => {
		expect(await codeOf(takeOut(rarOf({ "a.txt": "Words." }, [], { "a.txt": 1_000 }), types.rar))).toBe("FILE_BROKEN");
		expect(await codeOf(takeOut(rarOf({ "a.txt": "Words." }, [], { "a.txt": 2 ** 31 }), types.rar))).toBe("ARCHIVE_UNREADABLE");
	});
});
