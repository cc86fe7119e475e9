/** Words and dates of Arabic and Persian PDFs are found as people write them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { arabicPdf } from "../doubles/arabic-pdf.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
	const files = { letter: ["هذه علاقة قديمة", "مجلة الاسلام", "1403-09-19 نشست", "مبلغ ۱۲٬۵۰۰ ریال"], other: ["هذا نص آخر عن البحر", "1404-10-20 دیدار"] };
	for (const [name, lines] of Object.entries(files)) {
		const form = new FormData();
		form.append("file", new File([arabicPdf(lines) as Uint8Array<ArrayBuffer>], `${name}.pdf`));
		form.append("containerTag", "arabic");
		const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
		expect((await client.finished(id))["status"]).toBe("done");
	}
}, 120_000);
afterAll(() => server.dispose());

test.each(["علاقة", "الاسلام", "1403-09-19", "۱۲٬۵۰۰"])("%s", async (q) => {
	const answer = await client.send("POST", "/v3/search", { q, containerTag: "arabic", onlyMatchingChunks: true });
	const { results } = (await answer.json()) as { readonly results: readonly { readonly chunks: readonly { readonly content: string }[] }[] };
	expect(results[0]?.chunks[0]?.content).toContain(q);
});
