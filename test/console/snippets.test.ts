/** The code that the search page offers to copy sends what the page has sent. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentRequest, firstQuery, memoryRequest } from "../../console/search/query.ts";
import { type Language, snippet } from "../../console/search/snippets.ts";

const received: unknown[] = [];
const server = Bun.serve({
	hostname: "127.0.0.1",
	port: 0,
	fetch: async (request) => {
		const { pathname } = new URL(request.url);
		received.push({ pathname, key: request.headers.get("authorization"), body: await request.json() });
		return Response.json({ results: [] });
	},
});
const folder = await mkdtemp(join(tmpdir(), "cairn-snippets-"));
afterAll(async () => {
	await server.stop(true);
	await rm(folder, { recursive: true, force: true });
});

const more = { filters: `{"AND":[{"key":"author","value":"it's \\"Ada\\""}]}`, filepath: "/a b", asOf: "2026-01-31", maxTokens: "500", searchMode: "memories" };
const query = { ...firstQuery, q: `who's "there"? $HOME\n\`ls\` \${1} ü \\`, container: "o'neill", threshold: 0.4, rerank: true, forgotten: true, ...more };
const programs: Readonly<Record<Language, readonly string[]>> = {
	curl: ["sh"],
	typescript: [process.execPath, "--no-install"],
	python: ["python3"],
};
const endings: Readonly<Record<Language, string>> = { curl: "sh", typescript: "ts", python: "py" };

for (const language of ["curl", "typescript", "python"] as const) {
	const needed = language === "curl" ? "curl" : (programs[language][0] ?? "");
	test.skipIf(Bun.which(needed) === null)(
		`the ${language} code runs as it stands`,
		async () => {
			for (const request of [documentRequest(query), memoryRequest(query)]) {
				const file = join(folder, `search.${endings[language]}`);
				await Bun.write(file, snippet(language, request, server.url.origin));
				const child = Bun.spawn([...programs[language], file], { env: { ...process.env, CAIRN_API_KEY: "sm_x" }, stdout: "ignore", stderr: "pipe" });
				expect(await new Response(child.stderr).text()).toBe("");
				expect(await child.exited).toBe(0);
				expect(received.pop()).toEqual({ pathname: request.path, key: "Bearer sm_x", body: request.body });
			}
		},
		60_000,
	);
}

test("what is left at its default is not sent", () => {
	expect(documentRequest({ ...firstQuery, q: "x", onlyMatchingChunks: false }).body).toEqual({ q: "x", limit: 10 });
});
