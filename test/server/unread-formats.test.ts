/** Files of formats that nobody reads fail with the format's name, and never come out as text or as an archive of their parts. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { unreadFiles } from "../doubles/unread-files.ts";
import { zipOf } from "../doubles/zip-of.ts";

interface Shown {
	readonly id: string;
	readonly status: string;
	readonly content: string | null;
	readonly remarks: readonly { readonly code: string; readonly message: string }[];
	readonly members: { readonly total: number };
	readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

async function upload(fileName: string, bytes: Uint8Array): Promise<Shown> {
	const form = new FormData();
	form.set("file", new File([new Uint8Array(bytes)], fileName));
	form.set("taskType", "superrag");
	const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as Shown;
	return (await client.finished(id)) as unknown as Shown;
}

describe("a file of a format that nobody reads", () => {
	test("there are many of them", () => expect(unreadFiles.length).toBeGreaterThan(40));

	for (const { fileName, name, bytes } of unreadFiles) {
		test(`${fileName} is refused as ${name}`, async () => {
			const { status, error, members } = await upload(fileName, bytes);
			expect({ status, code: error?.code, members: members.total }).toEqual({ status: "failed", code: "EXTRACTOR_MISSING", members: 0 });
			expect(error?.message).toContain(name);
			expect(error?.hint).toContain("plugin");
		});
	}

	test("that names itself as the first entry of a ZIP is refused by that name; a file of that name further on names nothing", async () => {
		const [mimetype, notes] = [{ mimetype: "application/x-unknown-thing" }, { "notes.txt": "All is well." }];
		const { status, error } = await upload("a.foo", zipOf({ ...mimetype, ...notes }));
		expect([status, error?.code]).toEqual(["failed", "EXTRACTOR_MISSING"]);
		expect(error?.message).toContain("application/x-unknown-thing");
		expect((await upload("b.foo", zipOf({ ...notes, ...mimetype }))).status).toBe("done");
	});

	test("in an archive is left out by its name in words", async () => {
		const xps = unreadFiles.find(({ fileName }) => fileName === "a.xps")?.bytes ?? new Uint8Array();
		const { status, remarks } = await upload("box.zip", zipOf({ "note.txt": "All is well.", "print.xps": xps }));
		expect(status).toBe("done");
		expect(remarks.map(({ message }) => message).join()).toContain("print.xps (Microsoft XPS document)");
	});
});

describe("what is read goes on being read", () => {
	const archives: readonly (readonly [fileName: string, parts: Readonly<Record<string, string | Uint8Array>>])[] = [
		["plain.zip", { "a.txt": "One.", "word/list.txt": "A folder of this name makes no document of Word." }],
		["program.zip", { "META-INF/MANIFEST.MF": "Manifest-Version: 1.0\n", "readme.txt": "It was packed by hand." }],
		["parts.zip", { "[Content_Types].xml": "<Types/>", "readme.txt": "It was taken apart and packed again." }],
		["comic.cbz", { "1.txt": "A page." }],
		["wheel.whl", { "tern/init.py": "print(1)\n" }],
		["around.zip", { "inner.zip": zipOf({ "word/document.xml": "<x/>" }), "a.txt": "Beside it." }],
	];
	for (const [fileName, parts] of archives) {
		test(`${fileName} is an archive`, async () => {
			const { status, members } = await upload(fileName, zipOf(parts));
			expect({ status, some: members.total > 0 }).toEqual({ status: "done", some: true });
		});
	}

	test("old encodings, wide characters, and the zeros of a machine that lost its power", async () => {
		const sentence = "The keeper counted ships, and wrote their names into the book. ";
		const russian = Buffer.from(
			"\u0421\u043c\u043e\u0442\u0440\u0438\u0442\u0435\u043b\u044c \u0441\u0447\u0438\u0442\u0430\u043b \u043a\u043e\u0440\u0430\u0431\u043b\u0438. ".repeat(
				800,
			),
			"utf16le",
		);
		const texts: readonly (readonly [string, Uint8Array])[] = [
			["latin.txt", Buffer.from(`${sentence}D\xe9j\xe0 vu. `.repeat(400), "latin1")],
			["wide.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), russian])],
			["log.txt", Buffer.concat([Buffer.from(`${sentence}\n`.repeat(300)), Buffer.alloc(40_000)])],
			["pasted.txt", Buffer.concat([Buffer.from(`${sentence}\n`.repeat(2_000)), Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 7) % 256))])],
		];
		for (const [fileName, bytes] of texts) expect((await upload(fileName, bytes)).status, fileName).toBe("done");
	});
});
