/** Hostile requests to every route: never a fault, always a proper error, and afterwards the server works as before. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer, withRouter } from "../doubles/test-server.ts";
import { fuzz } from "./http-fuzz.ts";

let server: TestServer;
beforeAll(async () => {
	server = await startTestServer(withRouter);
});
afterAll(() => server.dispose());

test("2,000 hostile requests are answered as the contract says, and a healthy one still is", async () => {
	const tally = await fuzz(await server.client(), 2_000, 20_260_101);
	// Enough of either kind, or the generator no longer reaches what it shall test.
	expect(tally.get("200") ?? 0).toBeGreaterThan(200);
	expect(tally.get("400") ?? 0).toBeGreaterThan(400);
	expect(tally.get("404") ?? 0).toBeGreaterThan(100);

	const client = await server.client();
	const added = (await (await client.send("POST", "/v3/documents", { content: "Grace found a moth in the relay." })).json()) as { readonly id: string };
	expect(await client.finished(added.id)).toMatchObject({ status: "done" });
	const found = (await (await client.send("POST", "/v3/search", { q: "moth in the relay" })).json()) as { readonly results: readonly unknown[] };
	expect(found.results).toMatchObject([{ documentId: added.id }]);
}, 300_000);
