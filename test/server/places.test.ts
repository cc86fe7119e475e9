/** A hit in a PDF tells its page and its box: whoever draws it over the page marks the words that were found. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import * as mupdf from "mupdf";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

const texts = ["The harbour master counts the ships.", "The keeper polishes the lantern of the lighthouse on Fridays."];
/** Left of each page's text, and its baseline counted from the top, in points. */
const [left, baseline] = [72, 300];

function twoPages(): Uint8Array {
	const pdf = new mupdf.PDFDocument();
	const resources = pdf.addObject({ Font: { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")) } });
	for (const text of texts) pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, resources, `BT /F1 12 Tf ${left} ${842 - baseline} Td (${text}) Tj ET`));
	return pdf.saveToBuffer("").asUint8Array();
}

interface Hit {
	readonly place: { readonly page?: number; readonly box?: readonly [number, number, number, number] };
}

test("both searches answer the page and the box of the words", async () => {
	const form = new FormData();
	form.append("file", new File([twoPages() as Uint8Array<ArrayBuffer>], "harbour.pdf"));
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
		expect(Math.round(boxLeft)).toBe(left);
		expect(top).toBeWithin(baseline - 14, baseline - 6);
		expect(bottom).toBeWithin(baseline - 1, baseline + 5);
		expect(right).toBeWithin(350, 450);
	}
}, 120_000);
