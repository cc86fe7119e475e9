/** A hit tells where it stands: in a PDF its page and its box, in any document the headings above it and the caption of its table. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { textBaseline, textLeft, textPdf } from "../doubles/text-pdf.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

const texts = ["The harbour master counts the ships.", "The keeper polishes the lantern of the lighthouse on Fridays."];
interface Hit {
	readonly place: { readonly page?: number; readonly box?: readonly [number, number, number, number] };
}

test("both searches answer the page and the box of the words", async () => {
	const form = new FormData();
	form.append("file", new File([textPdf(texts)], "harbour.pdf"));
	form.append("containerTag", "harbour");
	const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
	expect((await client.finished(id))["status"]).toBe("done");

	const body = { q: "who polishes the lantern", containerTag: "harbour", limit: 5, onlyMatchingChunks: true };
	const v3 = (await (await client.send("POST", "/v3/search", body)).json()) as { readonly results: readonly { readonly chunks: readonly Hit[] }[] };
	const v4 = (await (await client.send("POST", "/v4/search", { q: body.q, containerTag: "harbour", searchMode: "documents" })).json()) as {
		readonly results: readonly Hit[];
	};
	for (const hit of [v3.results[0]?.chunks[0], v4.results[0]]) {
		expect(hit?.place.page).toBe(2);
		const [boxLeft = 0, top = 0, right = 0, bottom = 0] = hit?.place.box ?? [];
		expect(Math.round(boxLeft)).toBe(textLeft);
		expect(top).toBeWithin(textBaseline - 14, textBaseline - 6);
		expect(bottom).toBeWithin(textBaseline - 1, textBaseline + 5);
		expect(right).toBeWithin(350, 450);
	}
}, 120_000);

async function addFile(fileName: string, content: string): Promise<Readonly<Record<string, unknown>>> {
	const form = new FormData();
	form.append("file", new File([content], fileName));
	form.append("containerTag", "canal");
	const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
	return await client.finished(id);
}

test("both searches and the list of chunks tell the headings above a hit and the caption of its table", async () => {
	const rows = Array.from({ length: 60 }, (_, at) => `<tr><td>Lock ${at}</td><td>${1890 + at}</td></tr>`).join("");
	const table = `<table><caption>Table 2: Locks by year</caption><tr><th>Name</th><th>Built</th></tr>${rows}</table>`;
	const { id, status } = await addFile("canal.html", `<h1>The canal</h1><p>It has sixty locks.</p><h2>Locks</h2>${table}`);
	expect(status).toBe("done");

	const place = { headings: ["The canal", "Locks"], caption: "Table 2: Locks by year" };
	const body = { q: "when was Lock 47 built", containerTag: "canal", limit: 1, onlyMatchingChunks: true };
	const v3 = (await (await client.send("POST", "/v3/search", body)).json()) as { readonly results: readonly { readonly chunks: readonly unknown[] }[] };
	const v4 = await (await client.send("POST", "/v4/search", { q: body.q, containerTag: "canal", searchMode: "documents" })).json();
	const list = await (await client.send("GET", `/v3/documents/${id}/chunks`)).json();
	expect(v3.results[0]?.chunks[0]).toMatchObject({ content: expect.stringContaining("| Lock 47 | 1937 |"), place });
	expect((v4 as { readonly results: readonly unknown[] }).results[0]).toMatchObject({ chunk: expect.stringContaining("| Lock 47 |"), place });
	expect((list as { readonly chunks: readonly unknown[] }).chunks.at(-1)).toMatchObject({ place });
}, 120_000);

test("a text that is mostly markup has a remark, and one that is not has none", async () => {
	const codesOf = ({ remarks }: Readonly<Record<string, unknown>>) => (remarks as readonly { readonly code: string }[]).map(({ code }) => code);
	expect(codesOf(await addFile("rows.part", `<tr class="row"><td>Ada</td><td>1843</td></tr>\n`.repeat(20)))).toEqual(["TEXT_DOUBTFUL"]);
	expect(codesOf(await addFile("notes.part", "The keeper wrote every storm into a blue notebook.\n".repeat(20)))).toEqual([]);
}, 120_000);
