/** Extractors that an operator has listed are reached by media types and endings of their own, from everywhere, and by nothing else. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { completeExtraction, definePlugin } from "cairn-memory";
import * as mupdf from "mupdf";
import { z } from "zod";
import tideLog from "../../examples/tide-log-extractor/index.ts";
import { tideLogOf } from "../../examples/tide-log-extractor/tide-log.ts";
import { type ServicePeer, startServicePeer } from "../doubles/address-services/service-peer.ts";
import { docxOf, wordParagraph } from "../doubles/office-files.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";
import { zipOf } from "../doubles/zip-of.ts";

interface Shown {
	readonly id: string;
	readonly status: string;
	readonly content: string | null;
	readonly error: { readonly code: string } | null;
}

const said = (text: string) => completeExtraction({ blocks: [{ kind: "paragraph", text, headings: [], place: {} }], type: "text" });

/** Of plans it says nothing of how they are known: a claim leads to them, or a ZIP that names the type. Of Morse it knows an ending. */
const planType = "application/vnd.acme.plan";
const kitType = "application/vnd.acme.foo";
const plans = definePlugin({
	name: "cairn-plugin-extract-plan",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({
		extractor: [
			{
				name: "plan",
				accepts: [planType, "application/zstd"],
				extract: async ({ byteLength }) => said(`A plan of ${byteLength} bytes.`),
			},
			{
				name: "morse",
				accepts: ["text/x-morse"],
				signatures: [{ mediaType: "text/x-morse", extensions: ["morse"] }],
				extract: async () => said("SOS"),
			},
			{
				name: "kit",
				accepts: [kitType],
				signatures: [{ mediaType: kitType, container: "application/zip", zipEntries: [/^kit\.xml$/, /^parts\//] }],
				extract: async ({ byteLength }) => said(`A kit of ${byteLength} bytes.`),
			},
			{
				name: "ballad",
				accepts: ["text/x-ballad"],
				signatures: [{ mediaType: "text/x-ballad", matchesText: (start) => /^%BALLAD \d+\n/.test(start) }],
				extract: async () => said("A ballad."),
			},
		],
	}),
});

/** A ZIP of two parts that no name gives away, and a text with a first line of its own. */
const kit = zipOf({ "kit.xml": "<kit/>", "parts/1.txt": "One." });
const ballad = new TextEncoder().encode("\r\n%BALLAD 3\r\nThe ferry lay at the mole, | she lay there all day");

const planned = new Uint8Array(Array.from({ length: 700 }, (_, at) => (at * 7919 + (at >> 3) * 31) % 256));
const plan = "A plan of 700 bytes.";
const tides = tideLogOf([{ minute: 29_600_000, level: 412, note: "the ferry Maribel waited" }]);
const tide = "the ferry Maribel waited";
const tideType = "application/vnd.brennik.tide-log";

let peer: ServicePeer;
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	peer = startServicePeer();
	server = await startTestServer([`--fetch-allow=${peer.host}`], { plugins: [tideLog(), plans()] });
	client = await server.client();
});
afterAll(async () => {
	await server.dispose();
	peer.close();
});

async function upload(fileName: string, bytes: Uint8Array, type = "", fields: Readonly<Record<string, string>> = {}): Promise<Shown> {
	const form = new FormData();
	form.set("file", new File([new Uint8Array(bytes)], fileName, { type }));
	for (const [name, value] of Object.entries({ taskType: "superrag", ...fields })) form.set(name, value);
	return await finished(client.send("POST", "/v3/documents/file", undefined, { body: form }));
}

async function fromAddress(path: string, bytes: Uint8Array, type: string): Promise<Shown> {
	peer.answers = { [path]: new Response(new Uint8Array(bytes), { headers: { "content-type": type } }) };
	return await finished(client.send("POST", "/v3/documents", { content: `${peer.origin}${path}`, taskType: "superrag" }));
}

async function finished(answer: Promise<Response>): Promise<Shown> {
	const { id } = (await (await answer).json()) as Shown;
	return (await client.finished(id)) as unknown as Shown;
}

/** What became of the files inside of it. */
async function insideOf(parent: Shown): Promise<readonly (string | null)[]> {
	await until(async () => {
		const { total } = (await (await client.send("GET", "/v3/documents/processing")).json()) as { readonly total: number };
		return total === 0;
	});
	const filters = { AND: [{ key: "parentId", value: parent.id }] };
	const listed = await client.send("POST", "/v3/documents/list", { limit: 100, includeContent: true, filters });
	return ((await listed.json()) as { readonly memories: readonly Shown[] }).memories.map(({ content }) => content);
}

const mailWith = (fileName: string, type: string, bytes: Uint8Array) =>
	new TextEncoder().encode(
		`Subject: Papers\nFrom: ola@example.org\nTo: siri@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee below.\n--b\nContent-Type: ${type}; name="${fileName}"\nContent-Disposition: attachment; filename="${fileName}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(bytes).toString("base64")}\n--b--\n`,
	);

function pdfWith(fileName: string, type: string, bytes: Uint8Array): Uint8Array {
	const document = new mupdf.PDFDocument();
	document.insertPage(-1, document.addPage([0, 0, 200, 200], 0, {}, ""));
	const attached = document.addEmbeddedFile(fileName, type, Buffer.from(bytes), new Date(0), new Date(0));
	document.insertEmbeddedFile(fileName, attached);
	return document.saveToBuffer("compress").asUint8Array().slice();
}

const unknown = "application/octet-stream";

describe("a media type of its own, which a client claims", () => {
	test("by the part of an upload, or by its field", async () => {
		expect((await upload("a.bin", planned, planType)).content).toBe(plan);
		expect((await upload("a.bin", planned, unknown, { mimeType: planType })).content).toBe(plan);
	});

	test("by the answer of an address", async () => {
		expect((await fromAddress("/plan", planned, planType)).content).toBe(plan);
	});

	test("by an archive, whose files have no claims, where the file says it itself", async () => {
		const own = zipOf({ mimetype: planType, "plan.xml": "<plan/>" });
		const archive = await upload("box.zip", zipOf({ "a.bin": own, "note.txt": "All is well." }));
		expect((await insideOf(archive)).toSorted()).toEqual([`A plan of ${own.byteLength} bytes.`, "All is well."]);
	});

	test("by an attachment of a mail, and of a PDF", async () => {
		expect(await insideOf(await upload("a.eml", mailWith("a.bin", planType, planned)))).toEqual([plan]);
		expect(await insideOf(await upload("a.pdf", pdfWith("a.bin", planType, planned)))).toEqual([plan]);
	});

	test("is believed of text, XML and ZIP as well", async () => {
		for (const bytes of [new TextEncoder().encode("just words"), new TextEncoder().encode("<?xml version='1.0'?><a/>"), zipOf({ "a.txt": "One." })])
			expect((await upload("a", bytes, planType)).content).toBe(`A plan of ${bytes.byteLength} bytes.`);
	});
});

describe("an ending and first bytes of its own", () => {
	test("by an upload, with nothing else that would tell", async () => {
		expect((await upload("april.tide", tides, unknown)).content).toContain(tide);
		expect((await upload("APRIL.TIDE", tides)).content).toContain(tide);
		expect((await upload("april", tides, unknown)).content).toContain(tide);
		expect((await upload("april", tides, tideType)).content).toContain(tide);
	});

	test("by an address", async () => {
		expect((await fromAddress("/april.tide", tides, unknown)).content).toContain(tide);
	});

	test("in an archive", async () => {
		const [content] = await insideOf(await upload("box.zip", zipOf({ "logs/april.tide": tides })));
		expect(content).toContain(tide);
	});

	test("attached to a mail, and to a PDF", async () => {
		const [ofMail] = await insideOf(await upload("a.eml", mailWith("april.tide", unknown, tides)));
		expect(ofMail).toContain(tide);
		const [ofPdf] = await insideOf(await upload("a.pdf", pdfWith("april.tide", "", tides)));
		expect(ofPdf).toContain(tide);
	});
});

test("an ending alone is enough for text, whatever a client claims", async () => {
	const morse = new TextEncoder().encode("... --- ...");
	for (const type of ["", "text/plain", unknown, planType]) expect((await upload("help.morse", morse, type)).content, type).toBe("SOS");
	expect((await fromAddress("/help.morse", morse, "text/plain")).content).toBe("SOS");
	expect(await insideOf(await upload("box.zip", zipOf({ "help.morse": morse })))).toEqual(["SOS"]);
	expect((await upload("help.txt", morse, "text/plain")).content).toBe("... --- ...");
});

describe("names inside of a ZIP, and a first line, that only the plugin knows", () => {
	const files = [
		["kit", kit, `A kit of ${kit.byteLength} bytes.`],
		["ballad", ballad, "A ballad."],
	] as const;
	for (const [name, bytes, read] of files) {
		test(`${name}: uploaded, behind an address, in an archive, attached to a mail and to a PDF`, async () => {
			expect((await upload(name, bytes)).content).toBe(read);
			expect((await upload(`${name}.zip`, bytes, unknown)).content).toBe(read);
			expect((await fromAddress(`/${name}`, bytes, unknown)).content).toBe(read);
			expect(await insideOf(await upload("box.zip", zipOf({ [`in/${name}`]: bytes })))).toEqual([read]);
			expect(await insideOf(await upload("a.eml", mailWith(`${name}.bin`, unknown, bytes)))).toEqual([read]);
			expect(await insideOf(await upload("a.pdf", pdfWith(`${name}.bin`, "", bytes)))).toEqual([read]);
		});
	}

	test("a ZIP without all of the names stays an archive", async () => {
		expect(await insideOf(await upload("a.zip", zipOf({ "kit.xml": "<kit/>" }), kitType))).toEqual(["<kit/>"]);
	});
});

describe("what the bytes show is not overruled", () => {
	test("a PDF stays one, whatever it is called or claimed to be", async () => {
		const pdf = pdfWith("note.txt", "text/plain", new TextEncoder().encode("words"));
		for (const [fileName, type] of [
			["a.pdf", planType],
			["a.tide", tideType],
			["a.bin", tideType],
		] as const)
			expect((await upload(fileName, pdf, type)).content).toBe("Attachments: note.txt");
	});

	test("so does a document of Word", async () => {
		const docx = docxOf({ body: wordParagraph("The mole is closed.") });
		expect((await upload("a.tide", docx, planType)).content).toContain("The mole is closed.");
	});

	test("bytes that do not begin as the plugin says are not its own", async () => {
		expect((await upload("prose.tide", new TextEncoder().encode("Only words about tides."), tideType)).content).toBe("Only words about tides.");
		expect((await upload("noise.tide", planned, tideType)).error?.code).toBe("EXTRACTOR_MISSING");
		expect((await insideOf(await upload("box.tide", zipOf({ "a.txt": "One." }), tideType))).join()).toBe("One.");
	});

	test("a claim of what nobody has listed, of a format known by its bytes, or of text, is not believed of unknown bytes", async () => {
		for (const type of ["application/vnd.acme.other", "application/pdf", "application/zstd", "text/x-morse", "application/json", "image/png"])
			expect((await upload("a.bin", planned, type)).error?.code, type).toBe("EXTRACTOR_MISSING");
	});
});
