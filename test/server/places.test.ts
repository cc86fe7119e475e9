/** A hit in a PDF tells its page and its box: whoever draws it over the page marks the words that were found. */

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
