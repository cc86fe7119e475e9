/** Languages over HTTP: documents in many languages in one organisation, found by phrase, by another form and mistyped; and the hint to who asks in one that the vectors do not know. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { languageSamples } from "../contract/storage/language-samples.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
const ids = new Map<string, string>();

beforeAll(async () => {
	server = await startTestServer(["--use-embedder=static"]);
	client = await server.client();
	for (const { language, text } of languageSamples) {
		const { id } = (await (await client.send("POST", "/v3/documents", { content: text })).json()) as { id: string };
		ids.set(language, id);
	}
	for (const id of ids.values()) await client.finished(id);
});

afterAll(() => server.dispose());

interface Answer {
	readonly results: readonly { readonly documentId: string; readonly score: number }[];
	readonly explanation: { readonly hint: string | null };
}

async function search(q: string): Promise<Answer> {
	const response = await client.send("POST", "/v3/search", { q, chunkThreshold: 0, explain: true });
	expect(response.status).toBe(200);
	return (await response.json()) as Answer;
}

for (const { language, phrase, inflected, mistyped } of languageSamples) {
	test(`${language}: a phrase, another form of a word, a mistyped word`, async () => {
		for (const query of [phrase, inflected, mistyped]) {
			if (query !== null) expect({ query, first: (await search(query)).results[0]?.documentId }).toEqual({ query, first: ids.get(language) ?? "" });
		}
	});
}

test("who asks in a language that the embedder does not know is told so, and who asks in English is not", async () => {
	expect((await search("Wo hängen die Schlüssel der Häuser?")).explanation.hint).toContain("seems to be in German");
	expect((await search("where was the harvest carried")).explanation.hint).toBeNull();
});
