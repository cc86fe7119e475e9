import { expect, test } from "bun:test";
import { nothingFound } from "../../../server/mcp/nothing-found.ts";

test("says whether documents are still being read", async () => {
	const said = (totalCount: number) =>
		nothingFound({ ask: async (method, path) => (`${method} ${path}` === "GET /v3/documents/processing?limit=1" ? { documents: [], totalCount } : null) });
	expect(await said(0)).toBe("Nothing was found.");
	expect(await said(1)).toBe("Nothing was found. One document is still being read, and not found until then.");
	expect(await said(12)).toBe("Nothing was found. 12 documents are still being read, and not found until then.");
});

test("a key that may not ask this gets the plain sentence", async () => {
	expect(await nothingFound({ ask: () => Promise.reject(new Error("ENDPOINT_FORBIDDEN")) })).toBe("Nothing was found.");
});
