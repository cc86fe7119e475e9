/** A conversation that goes on for days: "tomorrow" in a message counts from the day on which that message came. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

const clock = { now: Date.parse("2026-03-02T09:00:00Z") };
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer([], {}, { world: { now: () => new Date(clock.now) } });
	client = await server.client();
});
afterAll(() => server.dispose());

async function say(conversationId: string, messages: readonly string[], metadata: Readonly<Record<string, string>> = {}): Promise<string> {
	const body = { conversationId, containerTag: conversationId, metadata, messages: messages.map((content) => ({ role: "user", content })) };
	const { id } = (await (await client.send("POST", "/v4/conversations", body)).json()) as { id: string };
	await client.finished(id);
	return id;
}

async function memoriesOf(containerTag: string): Promise<readonly string[]> {
	const listed = (await (await client.send("POST", "/v4/memories/list", { containerTags: [containerTag] })).json()) as { memoryEntries: { memory: string }[] };
	return listed.memoryEntries.map(({ memory }) => memory).sort();
}

const dentist = "I see my dentist tomorrow at ten.";
const exam = "My chemistry exam is tomorrow, wish me luck.";

test.each([
	["new-message", [exam]],
	["whole-history", [dentist, exam]],
])(
	"%s is sent three days later",
	async (name, later) => {
		clock.now = Date.parse("2026-03-02T09:00:00Z");
		await say(name, [dentist]);
		const before = await memoriesOf(name);
		expect(before.join()).toContain("3 March 2026");
		clock.now = Date.parse("2026-03-05T09:00:00Z");
		const id = await say(name, later);
		const after = await memoriesOf(name);
		expect(after).toEqual(expect.arrayContaining([...before]));
		expect(after.filter((memory) => memory.includes("exam")).join()).toContain("6 March 2026");
		clock.now += 60_000;
		await say(name, [dentist, exam]);
		const document = (await (await client.send("GET", `/v3/documents/${id}`)).json()) as { content: string };
		expect(document.content.match(/dentist/g)).toHaveLength(1);
		expect(await memoriesOf(name)).toEqual(after);
	},
	60_000,
);

test.each([2019, 1972])(
	"the date that the client states for a call is the day of its new messages, in %d",
	async (year) => {
		clock.now = Date.parse("2026-03-05T09:00:00Z");
		await say(`imported-${year}`, [dentist], { documentDate: `${year}-07-01` });
		await say(`imported-${year}`, [exam], { documentDate: `${year}-07-08` });
		const memories = (await memoriesOf(`imported-${year}`)).join();
		expect(memories).toContain(`2 July ${year}`);
		expect(memories).toContain(`9 July ${year}`);
	},
	60_000,
);
