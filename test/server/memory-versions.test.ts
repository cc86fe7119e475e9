/** What a list tells of a memory's versions: where each came from, and whether it lasts. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

interface Listed {
	readonly id: string;
	readonly memory: string;
	readonly isStatic: boolean;
	readonly isWritten: boolean;
	readonly documentIds: readonly string[];
	readonly history: readonly Pick<Listed, "memory" | "isWritten" | "documentIds">[];
}

const json = async <Answer>(answer: Promise<Response>) => (await (await answer).json()) as Answer;

async function listed(containerTag: string): Promise<readonly Listed[]> {
	return (await json<{ readonly memoryEntries: readonly Listed[] }>(client.send("POST", "/v4/memories/list", { containerTags: [containerTag] }))).memoryEntries;
}

test("each version says whether a client wrote it, and on which documents it rests", async () => {
	const { id } = await json<{ readonly id: string }>(
		client.send("POST", "/v3/documents", { content: "Mara: I live in Ghent.", containerTag: "mara", dreaming: "instant" }),
	);
	await client.finished(id);
	const [known] = await listed("mara");
	expect(known).toMatchObject({ isWritten: false, documentIds: [id], history: [] });
	await client.send("PATCH", "/v4/memories", { containerTag: "mara", id: known?.id, newContent: "Mara lives in Porto." });
	const [corrected] = await listed("mara");
	expect(corrected).toMatchObject({
		memory: "Mara lives in Porto.",
		isWritten: true,
		history: [{ memory: known?.memory, isWritten: false, documentIds: [id] }],
	});
});

test("a new version may say that it lasts, or does not; left out, that stays", async () => {
	const containerTag = "nils";
	await client.send("POST", "/v4/memories", { containerTag, memories: [{ content: "Nils collects stamps" }] });
	const lasts = async (change: object) => {
		const [before] = await listed(containerTag);
		await client.send("PATCH", "/v4/memories", { containerTag, id: before?.id, newContent: "Nils collects stamps", ...change });
		return (await listed(containerTag))[0]?.isStatic;
	};
	expect(await lasts({})).toBe(false);
	expect(await lasts({ isStatic: true })).toBe(true);
	expect(await lasts({})).toBe(true);
	expect(await lasts({ isStatic: false })).toBe(false);
	expect((await client.send("PATCH", "/v4/memories", { containerTag, content: "Nils collects stamps", newContent: "x", isStatic: "yes" })).status).toBe(400);
});
